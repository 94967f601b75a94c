import { connect } from 'node:net';

/** An answer exactly as it was sent. */
export interface RawAnswer {
  readonly statusLine: string;
  /** `Name: value`, in order and as spelt. */
  readonly lines: readonly string[];
  /** Includes its transfer coding, if it has one. */
  readonly body: Buffer;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** `Name: value`, in order and as spelt. `host`, `connection` and, with a body, `content-length` are added. */
  readonly lines?: readonly string[];
  readonly body?: Buffer;
}

/** Sends a request over a plain socket and reads the answer to its end. `origin` is `http://127.0.0.1:port`. */
export const rawHttp = (origin: string, { method, path, lines = [], body }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { port, hostname, host } = new URL(origin);
    const length = body === undefined ? [] : [`content-length: ${body.length}`];
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, ...length, '', ''];
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(head.join('\r\n'), 'latin1');
      if (body !== undefined) socket.write(body);
    });
    socket.on('data', (part) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => {
      const bytes = Buffer.concat(parts);
      const end = bytes.indexOf('\r\n\r\n');
      const [statusLine = '', ...answered] = bytes.toString('latin1', 0, end).split('\r\n');
      resolve({ statusLine, lines: answered, body: bytes.subarray(end + 4) });
    });
  });
