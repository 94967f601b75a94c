import type { Sink } from '../../../plugins/sdk/http/http.ts';
import type { ServerAnswer } from '../exchange/connection.ts';

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The maximum number of bytes per write, because the progress within one write is not visible. */
export const pieceBytes: number = 256 * 1024;

type Trailer = [name: string, value: string];

const noTrailers: readonly Trailer[] = [];
const noBytes = new Uint8Array();

/** The last chunk, and the trailer fields: https://www.rfc-editor.org/rfc/rfc9112#name-chunked-trailer-section */
const lastChunk = (trailers: readonly Trailer[]): string =>
  `0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/**
 * Returns bytes as one chunk of the chunked transfer coding (RFC 9112 §7.1): its size in hexadecimal on a line, and the bytes on
 * another.
 */
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
 * Writes a body to a client whose head has been written. With the chunked transfer coding, chunks are framed here: node:http
 * makes four writes of each, and a single one costs a fifth less.
 */
export class ResponseSink implements Sink {
  /** Whether something was written, and with it the head. */
  started = false;
  readonly #response: ServerAnswer;
  readonly #isChunked: boolean;
  readonly #takesTrailers: boolean;
  #trailers: readonly Trailer[] = noTrailers;
  /** The pieces after a large chunk, which wait until the client has taken the piece before. */
  #waiting: Uint8Array[] = [];
  #isEnded = false;
  #resume: (() => void) | undefined;

  constructor(response: ServerAnswer, takesTrailers = false) {
    this.#response = response;
    this.#takesTrailers = takesTrailers;
    this.#isChunked = response.chunkedEncoding;
    response.chunkedEncoding = false;
  }

  write(chunk: Uint8Array): boolean {
    this.started = true;
    if (this.#response.destroyed) return false;
    if (chunk.length <= pieceBytes && this.#waiting.length === 0) return this.#write(chunk);
    this.#waiting.push(chunk);
    return this.#waiting.length === 1 && this.#writePieces();
  }

  onDrain(resume: () => void): void {
    if (this.#waiting.length > 0) this.#resume = resume;
    else this.#response.once('drain', resume);
  }

  trailer(name: string, value: string): void {
    if (this.#takesTrailers) this.#trailers = [...this.#trailers, [name, value]];
  }

  end(): void {
    this.started = true;
    this.#isEnded = true;
    if (this.#waiting.length === 0) this.#end();
  }

  /** The head was sent with a success status, so the only way to report the failure is to abort the connection. */
  fail(): void {
    this.started = true;
    this.#response.destroy();
  }

  #write(bytes: Uint8Array): boolean {
    if (!this.#isChunked) return this.#response.write(bytes);
    // An empty chunk would end the body.
    return bytes.length === 0 || this.#response.write(toChunk(bytes));
  }

  /** Writes the waiting pieces one by one, until the client has to take one. Returns whether it takes more. */
  #writePieces(): boolean {
    let takesMore = true;
    while (takesMore && this.#waiting.length > 0) {
      const [chunk = noBytes, ...others] = this.#waiting;
      const rest = chunk.subarray(pieceBytes);
      this.#waiting = rest.length === 0 ? others : [rest, ...others];
      takesMore = this.#write(chunk.subarray(0, pieceBytes));
    }
    if (this.#waiting.length > 0) this.#response.once('drain', () => this.#goOn());
    return takesMore;
  }

  #goOn(): void {
    const takesMore = this.#writePieces();
    if (this.#waiting.length > 0) return;
    if (this.#isEnded) this.#end();
    const resume = this.#resume;
    this.#resume = undefined;
    if (resume === undefined) return;
    if (takesMore) resume();
    else this.onDrain(resume);
  }

  #end(): void {
    if (this.#response.destroyed) return;
    if (this.#isChunked) this.#response.end(lastChunk(this.#trailers), 'latin1');
    else {
      if (this.#trailers.length > 0) this.#response.addTrailers(this.#trailers);
      this.#response.end();
    }
  }
}
