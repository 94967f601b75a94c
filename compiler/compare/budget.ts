/** Thrown if a comparison needs more visits than its budget allows. */
export class BudgetExceeded extends Error {}

/** The work that may still be done, in visits of nodes. */
export class Budget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Throws `BudgetExceeded` if nothing is left. */
  spend(units = 1): void {
    this.#left -= units;
    if (this.#left < 0) throw new BudgetExceeded();
  }
}
