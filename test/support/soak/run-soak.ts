import { Pool } from 'undici';
import type { SoakRequest } from './soak-requests.ts';

export interface Soak {
  /** Of the gateway. */
  readonly origin: string;
  /** Numbers of the requests: from the first to before the last. */
  readonly from: number;
  readonly to: number;
  readonly toRequest: (at: number) => SoakRequest;
}

/** Wrong answers that tell what is the matter. */
const enough = 3;

/** Connections that are kept, with one request at a time on each. */
const connections = 16;

/** Sends requests over a few connections, and gives those that were not answered as they should have been. */
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
