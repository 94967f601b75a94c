import { FairShares, toShare } from '../../sdk/fairness/fair-shares.ts';
import { HeldBytes } from '../../sdk/fairness/held-bytes.ts';

/** The calls of one tenant that a plugin may have, and how many tenants have as many before there is no room for another. */
const maxCalls = 1000;
const floods = 4;
/** The bytes of all calls that a plugin may have together. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Counts the calls of a plugin that its processes have not answered. A tenant may have more than a quarter of the bytes
 * only while a quarter is free, so that one that floods the plugin keeps nobody else from it.
 */
export class CallShares {
  readonly #calls = new FairShares(floods * maxCalls, maxCalls);
  readonly #bytes = new HeldBytes();

  /** Why no further call of this tenant may be sent, as the end of a sentence; undefined if one may. */
  refusal(tenant: string): string | undefined {
    if (this.#calls.room(tenant) <= 0) return `has ${maxCalls} calls that it has not answered.`;
    const quarter = toShare(maxBytes);
    const own = this.#bytes.of(tenant);
    const isFull = this.#bytes.all >= maxBytes || (this.#bytes.all >= maxBytes - quarter && own >= quarter);
    return isFull ? `has ${own} bytes of calls that it has not answered.` : undefined;
  }

  take(tenant: string): void {
    this.#calls.take(tenant);
  }

  /** Counts the bytes of a call. */
  add(tenant: string, bytes: number): void {
    this.#bytes.take(tenant, bytes);
  }

  /** A call of so many bytes is answered. */
  give(tenant: string, bytes: number): void {
    this.#calls.give(tenant);
    this.#bytes.give(tenant, bytes);
  }
}
