import { WindowCounts } from '../../kernel/pools/window-counts.ts';

/** Keys that are not valid and that one address may present within a minute. */
export const maxGuesses = 10;

/** An IPv6 network is one address: whoever has one can use all of it. */
const toNetwork = (address: string): string =>
  address.includes(':') ? address.toLowerCase().split(':').slice(0, 4).join(':') : address;

/**
 * Counts presented keys that are not valid by the address that they came from, in this process. No key is refused for what others
 * did, so that nobody can lock out its holder elsewhere.
 */
export class GuessesByAddress {
  readonly #counts = new WindowCounts({ windowMs: 60_000, maxKeys: 10_000 });

  /** Whether an address may present another key. `now` is in milliseconds. */
  may(address: string, now: number): boolean {
    return this.#counts.of(toNetwork(address), now) < maxGuesses;
  }

  note(address: string, now: number): void {
    this.#counts.add(toNetwork(address), 1, now);
  }

  /** Takes back what was noted: the key was valid, or nobody could say. */
  forgive(address: string, now: number): void {
    const network = toNetwork(address);
    if (this.#counts.of(network, now) > 0) this.#counts.add(network, -1, now);
  }
}
