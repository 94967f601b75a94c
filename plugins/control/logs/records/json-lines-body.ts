import { errorReport } from '../../../../schema/errors.ts';
import type { Json } from '../../../../schema/json.ts';
import type { Cancellation, Sink, StreamBody, StreamEnd } from '../../../sdk/http.ts';

/** A body of JSON, a line for each value, that is written as fast as its client reads, and ends with it. */
export class JsonLinesBody implements StreamBody {
  readonly kind = 'stream';
  readonly #pages: AsyncIterator<readonly Json[]>;
  readonly #cancellation: Cancellation;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #ended: StreamEnd | undefined;
  #wake = (): void => {};

  constructor(pages: AsyncIterator<readonly Json[]>, cancellation: Cancellation) {
    this.#pages = pages;
    this.#cancellation = cancellation;
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
    void this.#pages.return?.();
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#ended === undefined) this.#listeners.push(listener);
    else listener(this.#ended);
  }

  async #write(sink: Sink): Promise<void> {
    for (;;) {
      const { done, value } = await this.#pages.next();
      if (this.#ended !== undefined) return void (await this.#pages.return?.());
      if (done === true) break;
      const text = value.map((line: Json) => `${JSON.stringify(line)}\n`).join('');
      if (!sink.write(Buffer.from(text))) await this.#drained(sink);
    }
    this.#end('complete');
    sink.end();
  }

  /** Waits until the sink has room, or the client is gone. */
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
