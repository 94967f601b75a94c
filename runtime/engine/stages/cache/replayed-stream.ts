import type { Cancellation, Sink, StreamBody, StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import { StreamEnding } from '../../attempt/answer/stream-ending.ts';

/** A stored stream: one write, and the end once the client has taken it. */
export class ReplayedStream implements StreamBody {
  readonly kind = 'stream';
  readonly #bytes: Uint8Array;
  readonly #ending = new StreamEnding();

  constructor(bytes: Uint8Array, cancellation: Cancellation) {
    this.#bytes = bytes;
    const stop = cancellation.onCancel(() => this.#ending.finish('left'));
    this.#ending.onEnd(() => stop());
  }

  start(sink: Sink): void {
    const end = (): void => {
      sink.end();
      this.#ending.finish('complete');
    };
    if (sink.write(this.#bytes)) end();
    else sink.onDrain(end);
  }

  discard(): void {
    this.#ending.finish('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }
}
