/** The maximum number of items that wait for each other. */
const largestBatch = 16;

/**
 * Sends everything that is ready in one turn of the event loop at its end, one directly after the other. A process on the same
 * machine that reads several of them is woken once instead of once for each, which takes longer than writing.
 */
export class TurnBatch<Item> {
  readonly #sendOne: (item: Item) => void;
  #waiting: Item[] = [];
  #isDue = false;

  /** @param sendOne sends one, and does not throw */
  constructor(sendOne: (item: Item) => void) {
    this.#sendOne = sendOne;
  }

  /** Adds an item to be sent in this turn of the event loop. */
  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= largestBatch) this.#send();
    else if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(this.#sendDue);
    }
  }

  readonly #sendDue = (): void => {
    this.#isDue = false;
    this.#send();
  };

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const item of waiting) this.#sendOne(item);
  }
}
