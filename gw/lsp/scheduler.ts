/** Does work for keys, one at a time for each: what is scheduled while it runs is done once more after it. */
export class Scheduler {
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();

  /** `work` never rejects. */
  constructor(work: (key: string) => Promise<void>) {
    this.#work = work;
  }

  /** Begins once everything that has arrived by now is read, so that only the last of several texts is worked on. */
  schedule(key: string): void {
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    if (!this.#running.has(key)) this.#begin(key);
  }

  #begin(key: string): void {
    this.#running.add(key);
    setImmediate(async () => {
      this.#waiting.delete(key);
      await this.#work(key);
      if (this.#waiting.has(key)) this.#begin(key);
      else this.#running.delete(key);
    });
  }
}
