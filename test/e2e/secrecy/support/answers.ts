import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

/** An answer, with the secrets that it is allowed to contain. */
export interface CollectedAnswer {
  /** The request line. */
  readonly where: string;
  readonly bytes: Buffer;
  /** Names of secrets. */
  readonly mayContain: readonly string[];
}

export interface Asking {
  /** A service key, in `x-gw-api-key`. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. A text is sent unchanged. */
  readonly body?: unknown;
  readonly mayContain?: readonly string[];
}

export interface JsonAnswer {
  readonly status: number;
  readonly json: JsonObject;
}

const parsed = (text: string): JsonObject => {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** Sends requests and keeps every answer. */
export class Answers {
  readonly all: CollectedAnswer[] = [];

  async ask(
    origin: string,
    request: string,
    { key, headers, body, mayContain = [] }: Asking = {},
  ): Promise<JsonAnswer> {
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { 'x-gw-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const content = await answer.arrayBuffer().catch(() => new ArrayBuffer(0));
    const bytes = Buffer.concat([Buffer.from(`${answer.status}\n${head}\n\n`), Buffer.from(content)]);
    this.all.push({ where: `${method} ${path.split('?')[0]} ${answer.status}`, bytes, mayContain });
    return { status: answer.status, json: parsed(Buffer.from(content).toString()) };
  }

  /** Keeps the output of a program. */
  keep(where: string, text: string, mayContain: readonly string[] = []): void {
    this.all.push({ where, bytes: Buffer.from(text), mayContain });
  }
}
