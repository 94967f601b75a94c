import type { ServerHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import type { ServerRequest } from '../../http/exchange/connection.ts';

export interface Http2RequestHead {
  readonly method: string;
  readonly path: string;
  /** In the form of HTTP/1.1. */
  readonly lines: string[];
  readonly hasBody: boolean;
  readonly remoteAddress: string | undefined;
}

/**
 * A request that is an HTTP/2 stream. In node:http2, a stream that its client resets ends like a complete one. This class fails
 * instead, like an HTTP/1.1 request whose connection is lost.
 */
export class Http2Request extends Readable implements ServerRequest {
  readonly method: string;
  url: string;
  readonly rawHeaders: string[];
  readonly httpVersion = '2.0';
  readonly socket: ServerRequest['socket'];
  /** How many bytes of its body have arrived. */
  received = 0;
  readonly #stream: ServerHttp2Stream;
  #isRead = false;
  #isWhole: boolean;

  constructor(stream: ServerHttp2Stream, { method, path, lines, hasBody, remoteAddress }: Http2RequestHead) {
    super();
    this.#stream = stream;
    this.method = method;
    this.url = path;
    this.rawHeaders = lines;
    // HTTP/2 is served only over TLS.
    this.socket = { remoteAddress, encrypted: true };
    this.#isWhole = !hasBody;
    if (hasBody) stream.once('close', () => this.#lose());
    else this.push(null);
  }

  /** Whether all of it has arrived, read or not. */
  get complete(): boolean {
    return this.#isWhole || this.#stream.state.remoteClose === 1;
  }

  /** Returns how many bytes have arrived that nobody has read. */
  get unread(): number {
    return this.readableLength + this.#stream.readableLength;
  }

  override _read(): void {
    if (!this.#isRead) {
      this.#isRead = true;
      this.#stream.on('data', this.#take).once('end', this.#end);
    }
    this.#stream.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stream.off('data', this.#take).off('end', this.#end);
    // If nobody reads it, its loss is not an error, as with node:http.
    callback(this.listenerCount('error') > 0 ? error : null);
  }

  /** Reads and discards the rest, so that the stream can close. */
  dump(): void {
    this.#stream.off('data', this.#take).off('end', this.#end).on('data', this.#drop).resume();
  }

  readonly #drop = (chunk: Buffer): void => {
    this.received += chunk.length;
  };

  readonly #take = (chunk: Buffer): void => {
    this.received += chunk.length;
    if (!this.push(chunk)) this.#stream.pause();
  };

  readonly #end = (): void => {
    if (this.#stream.aborted || this.#stream.rstCode !== 0) return;
    this.#isWhole = true;
    this.push(null);
  };

  #lose(): void {
    if (!this.#isWhole) this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
  }
}
