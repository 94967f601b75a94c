import type { StreamEnd } from '../../../../plugins/sdk/http/http.ts';

/** How a stream ended. Each listener is called once: at the end, or at once if it has ended. */
export class StreamEnding {
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #end: StreamEnd | undefined;

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#end === undefined) this.#listeners.push(listener);
    else listener(this.#end);
  }

  /** The first end counts. */
  finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const listener of this.#listeners.splice(0)) listener(end);
  }
}
