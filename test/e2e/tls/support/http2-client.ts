import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { onTestFinished } from 'vitest';

export interface Http2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Http2Client {
  readonly session: ClientHttp2Session;
  /** Begins a request: sends its head, and leaves its body to the test. */
  open(headers: OutgoingHttpHeaders, options?: { readonly endStream?: boolean }): ClientHttp2Stream;
  /** Sends a whole request and reads the whole answer. Rejects if the stream is reset. */
  ask(headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<Http2Answer>;
}

/** Reads an answer to its end. Rejects if it is incomplete. */
export const readAnswer = (stream: ClientHttp2Stream): Promise<Http2Answer> =>
  new Promise((resolve, reject) => {
    let headers: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    let text = '';
    let isWhole = false;
    stream.setEncoding('utf8');
    stream.on('response', (head) => {
      headers = head;
    });
    stream.on('trailers', (lines) => {
      trailers = lines;
    });
    stream.on('data', (part: string) => {
      text += part;
    });
    stream.on('end', () => {
      isWhole = stream.rstCode === 0;
    });
    stream.on('error', reject);
    stream.on('close', () => {
      if (isWhole || (stream.rstCode === 0 && headers[':status'] !== undefined))
        resolve({ status: Number(headers[':status']), headers, trailers, text });
      else reject(new Error(`The stream was reset with ${stream.rstCode}.`));
    });
  });

/** Connects over HTTP/2. The connection ends with the test. */
export const connectHttp2 = async (origin: string, options: SecureClientSessionOptions): Promise<Http2Client> => {
  const session = connect(origin, options);
  session.on('error', () => {});
  await once(session, 'remoteSettings');
  onTestFinished(() => session.destroy());
  const open: Http2Client['open'] = (headers, { endStream = false } = {}) => session.request(headers, { endStream });
  return {
    session,
    open,
    ask: (headers, body) => {
      const stream = open(headers, { endStream: body === undefined });
      const answer = readAnswer(stream);
      if (body !== undefined) stream.end(body);
      return answer;
    },
  };
};

/** Returns the head of a chat request. */
export const chatHead = (more: OutgoingHttpHeaders = {}): OutgoingHttpHeaders => ({
  ':method': 'POST',
  ':path': '/v1/chat/completions',
  'content-type': 'application/json',
  'x-gw-config': JSON.stringify({ provider: 'echo' }),
  ...more,
});

export const chat = (more: object = {}): string =>
  JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello!' }], ...more });
