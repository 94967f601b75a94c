import { Agent, request } from 'node:http';
import type { JsonObject } from '../../../schema/json/json.ts';

/** What a client received. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** All header and trailer lines. */
  readonly lines: string;
  readonly bytes: Buffer;
  /** Whether the connection broke before the end of the body. */
  readonly isTorn: boolean;
}

export interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** Whether the body is sent as a form. */
  readonly isForm?: boolean;
}

interface Payload {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Returns a form with a field for each member, and a file. */
const toForm = async (body: JsonObject): Promise<Payload> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, String(each));
  form.append('file', new Blob(['RIFF']), 'speech.wav');
  const written = new Response(form);
  return { type: written.headers.get('content-type') ?? '', bytes: Buffer.from(await written.arrayBuffer()) };
};

const toPayload = async ({ body, isForm = false }: Asked): Promise<Payload> =>
  isForm ? await toForm(body) : { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };

const agent = new Agent({ keepAlive: true });

/** The time after which a request counts as hanging: thousands of times what it takes. */
const hangingMs = 45_000;

/** Sends a request, and resolves with everything that arrives. Rejects if the answer has no head, or does not end. */
export const ask = async (asked: Asked): Promise<Received> => {
  const { type, bytes: payload } = await toPayload(asked);
  return await new Promise((resolve, reject) => {
    const sent = request(asked.url, {
      ...{ agent, method: 'POST', signal: AbortSignal.timeout(hangingMs) },
      headers: { 'content-type': type, ...asked.headers },
    });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      const chunks: Buffer[] = [];
      const end = (isTorn: boolean) => () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers as Received['headers'],
          lines: [...answer.rawHeaders, ...answer.rawTrailers].join('\n'),
          bytes: Buffer.concat(chunks),
          isTorn,
        });
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('end', end(false));
      answer.once('error', (error) =>
        error.name === 'AbortError' ? reject(new Error('The answer does not end.')) : end(true)(),
      );
    });
    sent.end(payload);
  });
};
