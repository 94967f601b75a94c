import type { UpstreamCall } from '../../../support/servers/upstream-server.ts';

interface ChunkedOptions {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The number of bytes in each chunk. */
  readonly size: number;
}

/** Answers with 200 and a chunked body whose chunks start and end anywhere within frames. */
export const answerInChunks = (
  call: UpstreamCall,
  body: Buffer,
  { type, headers = {}, size }: ChunkedOptions,
): void => {
  const lines = Object.entries({ 'content-type': type, 'transfer-encoding': 'chunked', ...headers });
  call.raw(`HTTP/1.1 200 OK\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    call.raw(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  }
  call.raw('0\r\n\r\n');
};
