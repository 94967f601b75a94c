import { Agent, request } from 'node:http';

/** The admin key of the stores that the benchmarks create. */
export const adminKey = 'the-admin-key-of-the-benchmark-with-40-chars';
export const masterKey: string = Buffer.alloc(32, 7).toString('base64');

interface Asked {
  readonly body?: object;
  /** The API key; the admin key if absent. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The base of the path; `/v1` if absent. */
  readonly base?: string;
}

/** An answer, and how many milliseconds it took. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** A client of one gateway's API that reuses connections. */
export class ControlClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  ask(asked: string, { body, key = adminKey, headers = {}, base = '/v1' }: Asked = {}): Promise<Answered> {
    const [method = 'GET', path = '/'] = asked.split(' ');
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...{ agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path: `${base}${path}` },
          headers: { 'x-gw-api-key': key, 'content-type': 'application/json', ...headers },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              text: Buffer.concat(parts).toString(),
              ms: performance.now() - begun,
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Returns the body of an answer with status 200. Throws an error with any other answer. */
  // biome-ignore lint/suspicious/noExplicitAny: each route answers something else
  async made(asked: string, more: Asked = {}): Promise<any> {
    const { status, text } = await this.ask(asked, more);
    if (status !== 200) throw new Error(`${asked}: ${status} ${text}`);
    return JSON.parse(text);
  }

  close(): void {
    this.#agent.destroy();
  }
}
