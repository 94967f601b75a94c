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
}

const agent = new Agent({ keepAlive: true });

/** The time after which a request counts as hanging: thousands of times what it takes. */
const hangingMs = 45_000;

/** Sends a request, and resolves with everything that arrives. Rejects if the answer has no head, or does not end. */
export const ask = ({ url, headers, body }: Asked): Promise<Received> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      ...{ agent, method: 'POST', signal: AbortSignal.timeout(hangingMs) },
      headers: { 'content-type': 'application/json', ...headers },
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
    sent.end(JSON.stringify(body));
  });
