import { FairShares, shareOf } from '../sdk/fairness/fair-shares.ts';

/** The calls of one tenant that a process may have, and how many tenants have as many before there is no room for another. */
const maxCalls = 1000;
const floods = 4;
/** The bytes of all calls that a process may have together. */
const maxBytes = 64 * 1024 * 1024;

/**
 * What a process has of calls that it has not answered. A tenant may have more than a quarter of the bytes only while a
 * quarter is free, so that one that floods the process keeps nobody else from it.
 */
export class CallShares {
  readonly #calls = new FairShares(floods * maxCalls, maxCalls);
  readonly #bytes = new Map<string, number>();
  #heldBytes = 0;

  /** Why no further call of this tenant may be sent, as the end of a sentence; undefined if one may. */
  refusal(tenant: string): string | undefined {
    if (this.#calls.room(tenant) <= 0) return `has ${maxCalls} calls that it has not answered.`;
    const quarter = shareOf(maxBytes);
    const own = this.#bytes.get(tenant) ?? 0;
    const isFull = this.#heldBytes >= maxBytes || (this.#heldBytes >= maxBytes - quarter && own >= quarter);
    return isFull ? `has ${own} bytes of calls that it has not answered.` : undefined;
  }

  take(tenant: string): void {
    this.#calls.take(tenant);
  }

  /** Counts the bytes of a call. */
  add(tenant: string, bytes: number): void {
    this.#heldBytes += bytes;
    const own = (this.#bytes.get(tenant) ?? 0) + bytes;
    if (own > 0) this.#bytes.set(tenant, own);
    else this.#bytes.delete(tenant);
  }

  /** A call of so many bytes is answered. */
  give(tenant: string, bytes: number): void {
    this.#calls.give(tenant);
    this.add(tenant, -bytes);
  }
}
