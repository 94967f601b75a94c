import type { Sink, StreamBody, StreamEnd } from '../../../../plugins/sdk/http/http.ts';
import { StreamEnding } from './stream-ending.ts';

/**
 * A leaf's stream as its groups and its circuit see it. A discarded stream counts as abandoned whether or not its upstream had
 * ended by then, so that the outcome does not depend on how fast bytes arrived.
 */
export class LeafStream implements StreamBody {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  readonly #ending = new StreamEnding();

  readonly #onStart: () => void;

  constructor(body: StreamBody, onStart: () => void = () => {}) {
    this.#body = body;
    this.#onStart = onStart;
  }

  start(sink: Sink): void {
    this.#body.onEnd((end) => this.#ending.finish(end));
    this.#onStart();
    this.#body.start(sink);
  }

  discard(): void {
    this.#body.discard();
    this.#ending.finish('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    this.#ending.onEnd(listener);
  }
}
