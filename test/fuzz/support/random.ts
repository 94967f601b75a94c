const range32 = 2 ** 32;

/** Random choices that depend only on a seed, so that a case can be repeated (the generator mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** Returns a whole number from 0 to `bound`, exclusive. */
  below(bound: number): number {
    return Math.floor((this.word() / range32) * bound);
  }

  /** Returns true once in `times` calls on average. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(list: readonly Item[]): Item {
    if (list.length === 0) throw new RangeError('There is nothing to pick from.');
    // The index is within the list, which the type checker cannot know.
    return list[this.below(list.length)] as Item;
  }

  /** Picks some items. An item can be picked several times. */
  some<Item>(list: readonly Item[], count: number): readonly Item[] {
    return Array.from({ length: count }, () => this.pick(list));
  }
}

/** Returns the seed of a numbered case, far from those of its neighbours. */
export const caseSeed = (seed: number, number: number): number =>
  new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) >>> 0).word();
