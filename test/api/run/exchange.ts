import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A request as it is sent. */
export interface ApiRequest {
  readonly method: string;
  /** The target in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Event streams never end, so only their first events are read. */
const isEndless = (method: string, { headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['content-type']?.startsWith('text/event-stream') === true;

/** Sends a request and reads the answer to its end. Rejects if there is none within 30 seconds. */
export type Send = (request: ApiRequest) => Promise<ApiAnswer>;

export interface Connections {
  readonly send: Send;
  close(): void;
}

/** Opens connections that are kept alive, as many as there are concurrent requests. `origin` is `http://127.0.0.1:port`. */
export const openConnections = (origin: string): Connections => {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true });
  const send: Send = ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
      const asked = request({ agent, hostname, port, method, path: target, headers: { ...headers, ...length } });
      let isAnswered = false;
      asked.once('response', (answer) => {
        isAnswered = true;
        const parts: Buffer[] = [];
        const end = (): void =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) });
        answer.on('data', (part) => {
          parts.push(part);
          if (!isEndless(method, answer)) return;
          end();
          answer.destroy();
        });
        answer.once('error', reject);
        answer.once('end', end);
      });
      asked.setTimeout(30_000, () => asked.destroy(new Error('There was no answer within 30 seconds.')));
      // A request that is rejected before it has been read is answered before it has been sent.
      asked.on('error', (error) => {
        if (!isAnswered) reject(error);
      });
      asked.end(body);
    });
  return { send, close: () => agent.destroy() };
};
