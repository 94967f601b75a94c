import { Pool } from 'undici';
import type { SoakRequest } from './soak-requests.ts';

export interface Soak {
  /** The gateway's origin. */
  readonly origin: string;
  /** The numbers of the requests: from the first, inclusive, to the last, exclusive. */
  readonly from: number;
  readonly to: number;
  readonly toRequest: (at: number) => SoakRequest;
}

/** How many wrong answers are enough to show the problem. */
const enough = 3;

/** The number of persistent connections, each with one request at a time. */
const connections = 16;

/** Sends requests over a few connections. Returns those with an unexpected answer. */
export const runSoak = async ({ origin, from, to, toRequest }: Soak): Promise<readonly string[]> => {
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const wrong: string[] = [];
  let next = from;
  const send = async (): Promise<void> => {
    while (next < to && wrong.length < enough) {
      const at = next;
      next += 1;
      const { headers, model, status } = toRequest(at);
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello there.' }] }),
      });
      const text = await body.text();
      if (statusCode !== status) wrong.push(`${at}: ${statusCode} instead of ${status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  await pool.close();
  return wrong;
};
