import { errorReport } from '../../../../schema/errors/errors.ts';
import type { Cancellation, Sink, StreamBody, StreamEnd } from '../../../sdk/http/http.ts';

/** A body that reads its bytes only as fast as its client does, and stops when the client disconnects. */
export class IteratedBody implements StreamBody {
  readonly kind = 'stream';
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #cancellation: Cancellation;
  readonly #first: IteratorResult<Uint8Array> | undefined;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #ended: StreamEnd | undefined;
  #wake = (): void => {};

  /** @param first the first piece, if it was read already */
  constructor(pieces: AsyncIterator<Uint8Array>, cancellation: Cancellation, first?: IteratorResult<Uint8Array>) {
    this.#pieces = pieces;
    this.#cancellation = cancellation;
    this.#first = first;
  }

  /**
   * Reads the first piece before there is a response, and rejects if that fails. A generator that wrapped the pieces and returned
   * the first one again would not end them if nobody starts to read it.
   */
  static async begun(pieces: AsyncIterator<Uint8Array>, cancellation: Cancellation): Promise<IteratedBody> {
    return new IteratedBody(pieces, cancellation, await pieces.next());
  }

  start(sink: Sink): void {
    const stopListening = this.#cancellation.onCancel(() => {
      this.#end('left');
      this.#wake();
    });
    this.#write(sink).then(stopListening, () => {
      stopListening();
      if (this.#ended !== undefined) return;
      this.#end('failed');
      sink.fail(errorReport('store-unavailable', {}));
    });
  }

  discard(): void {
    this.#end('left');
    void this.#pieces.return?.();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#ended === undefined) this.#listeners.push(listener);
    else listener(this.#ended);
  }

  async #write(sink: Sink): Promise<void> {
    for (let first = this.#first; ; first = undefined) {
      const { done, value } = first ?? (await this.#pieces.next());
      if (this.#ended !== undefined) return void (await this.#pieces.return?.());
      if (done === true) break;
      if (!sink.write(value)) await this.#drained(sink);
    }
    this.#end('complete');
    sink.end();
  }

  /** Waits until the sink has room, or the client has disconnected. */
  async #drained(sink: Sink): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    sink.onDrain(resolve);
    if (this.#ended !== undefined) return;
    await promise;
  }

  #end(end: StreamEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = end;
    for (const listener of this.#listeners) listener(end);
  }
}
