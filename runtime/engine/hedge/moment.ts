import type { Deadline, Deadlines } from '../../async/deadlines.ts';

/** A moment some milliseconds from now, which something may be there before. */
export class Moment implements Deadline {
  expiresAt = 0;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  readonly #ms: number;
  readonly #deadlines: Deadlines;
  readonly #came = Promise.withResolvers<boolean>();

  constructor(ms: number, deadlines: Deadlines) {
    this.#ms = ms;
    this.#deadlines = deadlines;
    deadlines.add(this, ms);
  }

  expire(): void {
    this.#came.resolve(true);
  }

  /** Whether it comes before this has settled. */
  comesBefore(work: Promise<unknown>): Promise<boolean> {
    const settled = (): void => {
      this.#deadlines.remove(this, this.#ms);
      this.#came.resolve(false);
    };
    work.then(settled, settled);
    return this.#came.promise;
  }
}
