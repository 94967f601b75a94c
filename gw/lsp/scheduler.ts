/**
 * Runs work for keys, one run at a time for each key. If a key is scheduled while its work runs, the work runs once more
 * afterwards.
 */
export class Scheduler {
  readonly #work: (key: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();

  /** `work` must never reject. */
  constructor(work: (key: string) => Promise<void>) {
    this.#work = work;
  }

  /** Starts after everything that has arrived so far was read, so that only the last of several texts is processed. */
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
