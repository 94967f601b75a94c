import type { StreamEnd } from '../../../../plugins/sdk/http/http.ts';

/** How a stream ended. Each listener is called once when it ends, or immediately if it has ended. */
export class StreamEnding {
  readonly #listeners: ((end: StreamEnd) => void)[] = [];
  #end: StreamEnd | undefined;

  onEnd(listener: (end: StreamEnd) => void): void {
    if (this.#end === undefined) this.#listeners.push(listener);
    else listener(this.#end);
  }

  /** Only the first call counts. */
  finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    for (const listener of this.#listeners.splice(0)) listener(end);
  }
}
