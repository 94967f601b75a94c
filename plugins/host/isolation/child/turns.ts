/** A task that runs when it is its tenant's turn. */
export interface Turn {
  readonly id: number;
  readonly input: { readonly tenant: string };
}

/**
 * Runs one task in each turn of the event loop, alternating between tenants. Between two tasks the process reads its input, so
 * that slow calls of one tenant do not block those of others.
 */
export class Turns<Item extends Turn> {
  readonly #run: (item: Item) => void;
  /** The waiting tasks, by tenant and number. Tenants are in the order of their turns. */
  readonly #waiting = new Map<string, Map<number, Item>>();
  #isDue = false;

  constructor(run: (item: Item) => void) {
    this.#run = run;
  }

  /** Runs the task now, if nothing else ran in this turn of the event loop. */
  add(item: Item): void {
    const { tenant } = item.input;
    const queue = this.#waiting.get(tenant) ?? new Map<number, Item>();
    this.#waiting.set(tenant, queue.set(item.id, item));
    // Two immediates, because those after the one that runs here are processed before the process reads its input. The next task
    // runs in a later turn.
    if (!this.#isDue) this.#next((next) => setImmediate(() => setImmediate(next)));
  }

  /** Removes a task that is still waiting. Returns false if it has already run. */
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
