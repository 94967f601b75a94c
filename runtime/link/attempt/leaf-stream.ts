import type { Sink, StreamBody, StreamEnd } from '../../../plugins/sdk/http.ts';

/**
 * A leaf's stream as its groups and its circuit see it: one that is passed over counts as left, whether or not its
 * upstream had ended by then, so that an outcome does not depend on how fast bytes came.
 */
export class LeafStream implements StreamBody {
  readonly kind = 'stream';
  readonly #body: StreamBody;
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #end: StreamEnd | undefined;

  constructor(body: StreamBody) {
    this.#body = body;
  }

  start(sink: Sink): void {
    this.#body.onEnd((end) => this.#finish(end));
    this.#body.start(sink);
  }

  discard(): void {
    this.#body.discard();
    this.#finish('left');
  }

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#end === undefined) this.#listeners.push(listener);
    else listener(this.#end);
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const listener of this.#listeners.splice(0)) listener(end);
  }
}
