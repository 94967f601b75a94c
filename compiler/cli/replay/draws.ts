/**
 * Pseudo-random numbers from 0 (inclusive) to 1 (exclusive) that are the same for the same seed. Each name has its own sequence.
 */
export class Draws {
  readonly #seed: number;
  readonly #states = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  next(name: string): number {
    const state = (this.#states.get(name) ?? this.#begin(name)) + 0x6d2b79f5;
    this.#states.set(name, state | 0);
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  #begin(name: string): number {
    let hash = this.#seed | 0;
    for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
    return hash;
  }
}
