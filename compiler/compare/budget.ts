/** There is more to look at than a budget allows. */
export class TooLarge extends Error {}

/** The work that may still be done, in visits of nodes. */
export class Budget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Throws `TooLarge` where nothing is left. */
  spend(units = 1): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooLarge();
  }
}
