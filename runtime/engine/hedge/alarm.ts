import type { Deadline, Deadlines } from '../../async/deadlines.ts';

/** A wait for a point in time, before which something may complete. */
export interface Alarm {
  /** Returns whether that time comes before `work` has settled. */
  firesBefore(work: Promise<unknown>): Promise<boolean>;
}

/** Starts to wait for a time this many milliseconds from now. */
export type StartAlarm = (ms: number) => Alarm;

class TimedAlarm implements Alarm, Deadline {
  expiresAt = 0;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  readonly #ms: number;
  readonly #deadlines: Deadlines;
  readonly #fires = Promise.withResolvers<boolean>();

  constructor(ms: number, deadlines: Deadlines) {
    this.#ms = ms;
    this.#deadlines = deadlines;
    deadlines.add(this, ms);
  }

  expire(): void {
    this.#fires.resolve(true);
  }

  firesBefore(work: Promise<unknown>): Promise<boolean> {
    const settled = (): void => {
      this.#deadlines.remove(this, this.#ms);
      this.#fires.resolve(false);
    };
    work.then(settled, settled);
    return this.#fires.promise;
  }
}

/** Alarms by the clock. Those with the same wait share a timer. */
export const timedAlarms =
  (deadlines: Deadlines): StartAlarm =>
  (ms) =>
    new TimedAlarm(ms, deadlines);
