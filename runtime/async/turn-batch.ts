/** How many wait for each other at most. */
const largestBatch = 16;

/**
 * Sends what is ready in one turn of the event loop one directly after the other, at its end. A process on the same machine
 * that reads several of them is woken once and not for each, which takes longer than writing.
 */
export class TurnBatch<Item> {
  readonly #sendOne: (item: Item) => void;
  #waiting: Item[] = [];
  #isDue = false;

  /** @param sendOne sends one, and does not throw */
  constructor(sendOne: (item: Item) => void) {
    this.#sendOne = sendOne;
  }

  /** Sends it in this turn of the event loop. */
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
