/** Keys that are not valid and that one address may present within a minute. */
export const maxGuesses = 10;
const windowMs = 60_000;
/** The most addresses that are remembered. */
const maxAddresses = 10_000;

interface Guesses {
  since: number;
  count: number;
}

/** An IPv6 network is one address: whoever has one can use all of it. */
const toNetwork = (address: string): string =>
  address.includes(':') ? address.toLowerCase().split(':').slice(0, 4).join(':') : address;

/**
 * Counts presented keys that are not valid by the address that they came from, in this process. No key is refused for what others
 * did, so that nobody can lock out its holder elsewhere.
 */
export class GuessesByAddress {
  /** Those that guessed first come first. */
  readonly #guesses = new Map<string, Guesses>();

  /** Whether an address may present another key. `now` is in milliseconds. */
  may(address: string, now: number): boolean {
    const found = this.#guesses.get(toNetwork(address));
    return found === undefined || now - found.since >= windowMs || found.count < maxGuesses;
  }

  note(address: string, now: number): void {
    const network = toNetwork(address);
    const found = this.#guesses.get(network);
    if (found !== undefined && now - found.since < windowMs) {
      found.count += 1;
      return;
    }
    this.#guesses.delete(network);
    for (const [oldest, { since }] of this.#guesses) {
      if (now - since < windowMs && this.#guesses.size < maxAddresses) break;
      this.#guesses.delete(oldest);
    }
    this.#guesses.set(network, { since: now, count: 1 });
  }
}
