import { randomInt } from 'node:crypto';

/** The golden ratio of 32 bits: steps of it visit every number once, far from its neighbours. */
const step = 0x9e3779b9;

/** Seeds for requests. Each determines all random draws of its request. */
export class Seeds {
  #last: number;

  constructor(start: number = randomInt(2 ** 32)) {
    this.#last = start;
  }

  /** Returns a number from 0 to 2^32 - 1. None repeats within 2^32 calls. */
  next(): number {
    this.#last = (this.#last + step) >>> 0;
    return this.#last;
  }
}
