import type { Sink } from '../../../plugins/sdk/http/http.ts';
import type { ServerAnswer } from '../exchange/connection.ts';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

type Trailer = [name: string, value: string];

const noTrailers: readonly Trailer[] = [];

/** The last chunk, and the trailer fields: https://www.rfc-editor.org/rfc/rfc9112#name-chunked-trailer-section */
const lastChunk = (trailers: readonly Trailer[]): string =>
  `0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/** Bytes as one chunk of the chunked transfer coding (RFC 9112 §7.1): its size in hexadecimal, a line each. */
const toChunk = (bytes: Uint8Array): Buffer => {
  const size = bytes.length.toString(16);
  const from = size.length + 2;
  const chunk = Buffer.allocUnsafe(from + bytes.length + 2);
  chunk.write(size, 'latin1');
  chunk[from - 2] = carriageReturn;
  chunk[from - 1] = lineFeed;
  chunk.set(bytes, from);
  chunk[chunk.length - 2] = carriageReturn;
  chunk[chunk.length - 1] = lineFeed;
  return chunk;
};

/**
 * Writes a body to a client whose head has been written. Where the transfer coding is chunked, the chunks
 * are framed here: node:http makes four writes of each, and one costs a fifth less.
 */
export class ResponseSink implements Sink {
  /** Whether something was written, and with it the head. */
  started = false;
  readonly #response: ServerAnswer;
  readonly #isChunked: boolean;
  readonly #takesTrailers: boolean;
  #trailers: readonly Trailer[] = noTrailers;

  constructor(response: ServerAnswer, takesTrailers = false) {
    this.#response = response;
    this.#takesTrailers = takesTrailers;
    this.#isChunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  write(chunk: Uint8Array): boolean {
    this.started = true;
    if (this.#response.destroyed) return false;
    if (!this.#isChunked) return this.#response.write(chunk);
    // An empty chunk would end the body.
    return chunk.length === 0 || this.#response.write(toChunk(chunk));
  }

  onDrain(resume: () => void): void {
    this.#response.once('drain', resume);
  }

  trailer(name: string, value: string): void {
    if (this.#takesTrailers) this.#trailers = [...this.#trailers, [name, value]];
  }

  end(): void {
    this.started = true;
    if (this.#response.destroyed) return;
    if (this.#isChunked) this.#response.end(lastChunk(this.#trailers), 'latin1');
    else {
      if (this.#trailers.length > 0) this.#response.addTrailers(this.#trailers);
      this.#response.end();
    }
  }

  /** The head was sent with a good status, so only aborting the connection notifies the client of the failure. */
  fail(): void {
    this.started = true;
    this.#response.destroy();
  }
}
