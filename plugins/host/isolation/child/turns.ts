/** A task that is run in its tenant's turn. */
export interface Turn {
  readonly id: number;
  readonly input: { readonly tenant: string };
}

/**
 * Runs one thing in each turn of the event loop, those of different tenants in turns: between two of them the process reads
 * what it is sent, so that calls of one tenant that take their time do not stand before those of others.
 */
export class Turns<Item extends Turn> {
  readonly #run: (item: Item) => void;
  /** The items that wait, by tenant and number; the tenants in the order of their turns. */
  readonly #waiting = new Map<string, Map<number, Item>>();
  #isDue = false;

  constructor(run: (item: Item) => void) {
    this.#run = run;
  }

  /** Runs it now, if nothing else ran in this turn of the event loop. */
  add(item: Item): void {
    const { tenant } = item.input;
    const queue = this.#waiting.get(tenant) ?? new Map<number, Item>();
    this.#waiting.set(tenant, queue.set(item.id, item));
    // What it runs here is followed by immediates before the process reads anything, so that the next turn is a later one.
    if (!this.#isDue) this.#next((next) => setImmediate(() => setImmediate(next)));
  }

  /** Takes out what waits still; false if it has run already. */
  withdraw(id: number): boolean {
    for (const [tenant, queue] of this.#waiting) {
      if (!queue.delete(id)) continue;
      if (queue.size === 0) this.#waiting.delete(tenant);
      return true;
    }
    return false;
  }

  readonly #next = (inNextTurn: (next: () => void) => void = setImmediate): void => {
    const [first] = this.#waiting;
    this.#isDue = first !== undefined;
    if (first === undefined) return;
    inNextTurn(() => this.#next());
    const [tenant, queue] = first;
    this.#waiting.delete(tenant);
    for (const [id, item] of queue) {
      queue.delete(id);
      if (queue.size > 0) this.#waiting.set(tenant, queue);
      this.#run(item);
      return;
    }
  };
}
