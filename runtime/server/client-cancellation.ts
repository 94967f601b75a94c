import type { Cancellation } from '../../plugins/sdk/http.ts';

const nothing = (): void => {};

/** Fires once, when the client leaves before its answer is whole. */
export class ClientCancellation implements Cancellation {
  cancelled = false;
  #listeners: Set<() => void> | undefined;

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener();
      return nothing;
    }
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    for (const listener of listeners ?? []) listener();
  }
}
