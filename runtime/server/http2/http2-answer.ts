import type { OutgoingHttpHeaders, ServerHttp2Stream, ServerStreamResponseOptions } from 'node:http2';
import type { Socket } from 'node:net';
import type { ServerAnswer } from '../../http/exchange/connection.ts';
import { toAnswerHeaders } from './http2-headers.ts';
import type { Http2Request } from './http2-request.ts';

/** RFC 9113 §7. */
const noError = 0;
const internalError = 2;

/** A whole answer is written in pieces of this many bytes, one after another, so that the client's progress is visible. */
const pieceBytes = 64 * 1024;

const bodilessStatuses = new Set([204, 205, 304]);

/** The answer to a request that is an HTTP/2 stream. */
export class Http2Answer implements ServerAnswer {
  readonly req: Http2Request;
  sendDate = true;
  chunkedEncoding = false;
  readonly #stream: ServerHttp2Stream;
  #head: OutgoingHttpHeaders | undefined;
  #isBodiless = false;
  #trailers: OutgoingHttpHeaders | undefined;
  #isEnded = false;
  #written = 0;
  /** How many bytes of the last chunk are not written yet. */
  #rest = 0;

  constructor(stream: ServerHttp2Stream, request: Http2Request) {
    this.#stream = stream;
    this.req = request;
  }

  get destroyed(): boolean {
    return this.#stream.destroyed || this.#stream.closed;
  }

  get headersSent(): boolean {
    return this.#stream.headersSent;
  }

  get writableEnded(): boolean {
    return this.#isEnded;
  }

  /** A stream that its client resets has finished for node:http2. */
  get writableFinished(): boolean {
    return this.#isEnded && this.#stream.writableFinished && !this.#stream.aborted;
  }

  /** Returns how many bytes wait for the client to take them. */
  get waiting(): number {
    return this.#stream.writableLength + this.#rest;
  }

  /** Returns how many bytes have passed through it, in both directions. */
  get moved(): number {
    return this.req.received + this.#written - this.waiting;
  }

  writeHead(status: number, lines: string[]): void {
    if (this.headersSent || this.#head !== undefined)
      throw new TypeError('The head of the answer has already been written.');
    this.#head = toAnswerHeaders(status, lines);
    this.#isBodiless = this.req.method === 'HEAD' || bodilessStatuses.has(status);
  }

  flushHeaders(): void {
    this.#respond(false);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isEnded || this.destroyed) return false;
    this.#respond(false);
    if (this.#isBodiless) return true;
    this.#written += chunk.length;
    return this.#stream.write(chunk);
  }

  addTrailers(lines: readonly [name: string, value: string][]): void {
    if (this.#trailers !== undefined) Object.assign(this.#trailers, Object.fromEntries(lines));
  }

  end(chunk: string | Uint8Array = ''): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.destroyed) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const isEmpty = this.#isBodiless || bytes.length === 0;
    this.#stream.once('finish', () => this.#finish());
    this.#respond(isEmpty);
    if (isEmpty) this.#stream.end();
    else this.#sendLast(bytes);
  }

  writeContinue(): void {
    if (!this.destroyed && !this.headersSent) this.#stream.additionalHeaders({ ':status': 100 });
  }

  destroy(): void {
    if (!this.destroyed) this.#stream.close(internalError);
  }

  /** Ends it, together with all others of its connection. */
  destroyConnection(): void {
    this.#stream.session?.destroy();
  }

  on(event: 'close', listener: () => void): void {
    this.#stream.on(event, listener);
  }

  once(event: 'close' | 'drain' | 'socket', listener: (socket: Socket) => void): void {
    this.#stream.once(event, listener);
  }

  #respond(isWhole: boolean): void {
    if (this.headersSent || this.destroyed) return;
    const head = this.#head ?? { ':status': 200 };
    const hasTrailers = head.trailer !== undefined && !this.#isBodiless;
    if (hasTrailers) {
      this.#trailers = {};
      this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(this.#trailers ?? {}));
    }
    const endStream = isWhole && !hasTrailers;
    const options: ServerStreamResponseOptions & { readonly sendDate: boolean } = {
      ...{ endStream, waitForTrailers: hasTrailers, sendDate: this.sendDate },
    };
    this.#stream.respond(head, options);
  }

  #sendLast(bytes: Uint8Array): void {
    this.#written += bytes.length;
    this.#rest = bytes.length;
    const next = (): void => {
      if (this.destroyed) return;
      const from = bytes.length - this.#rest;
      const piece = bytes.subarray(from, from + pieceBytes);
      this.#rest -= piece.length;
      if (this.#rest === 0) this.#stream.end(piece);
      else this.#stream.write(piece, next);
    };
    next();
  }

  /** The client need not send the rest of its request (RFC 9113 §8.1). */
  #finish(): void {
    const isWhole = this.req.complete;
    this.req.dump();
    if (!isWhole && this.#trailers === undefined) this.#stream.close(noError);
  }
}
