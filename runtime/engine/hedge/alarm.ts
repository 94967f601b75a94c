import type { Deadline, Deadlines } from '../../async/deadlines.ts';

/** A point in time that something may complete before. */
export interface Alarm {
  /** Returns whether the moment comes before `work` has settled. */
  firesBefore(work: Promise<unknown>): Promise<boolean>;
}

/** Starts to wait for a moment this many milliseconds from now. */
export type StartAlarm = (ms: number) => Alarm;

class TimedMoment implements Alarm, Deadline {
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

  firesBefore(work: Promise<unknown>): Promise<boolean> {
    const settled = (): void => {
      this.#deadlines.remove(this, this.#ms);
      this.#came.resolve(false);
    };
    work.then(settled, settled);
    return this.#came.promise;
  }
}

/** Moments by the clock. Those after the same time share a timer. */
export const timedMoments =
  (deadlines: Deadlines): StartAlarm =>
  (ms) =>
    new TimedMoment(ms, deadlines);
