import { FairShares, toShare } from '../../sdk/fairness/fair-shares.ts';
import { HeldBytes } from '../../sdk/fairness/held-bytes.ts';

/** The maximum number of unanswered calls of one tenant and, below, how many tenants can have that many at the same time. */
const maxCalls = 1000;
const floods = 4;
/** The maximum size of all unanswered calls of a plugin together, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Counts the calls that the processes of a plugin have not answered. A tenant may use more than a quarter of the bytes only while
 * a quarter is free, so that a tenant that floods the plugin does not block the others.
 */
export class CallShares {
  readonly #calls = new FairShares(floods * maxCalls, maxCalls);
  readonly #bytes = new HeldBytes();

  /** Returns why no further call of this tenant may be sent, as the end of a sentence, or undefined if one may. */
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

  /** Removes an answered call of this many bytes. */
  give(tenant: string, bytes: number): void {
    this.#calls.give(tenant);
    this.#bytes.give(tenant, bytes);
  }
}
