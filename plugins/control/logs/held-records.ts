import type { Timers } from '../../sdk/http/in-process.ts';

/** The maximum time that a record waits, in milliseconds. */
const longestMs = 30_000;

/** Holds the records of requests that ended before their background checks. */
export class HeldRecords {
  readonly #timers: Timers;
  readonly #held = new Map<() => void, Promise<unknown>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Writes a record once `checks` has settled, or after half a minute. */
  hold(checks: Promise<unknown>, write: () => void): void {
    const release = (): void => {
      if (!this.#held.delete(release)) return;
      stop();
      write();
    };
    const stop = this.#timers.after(longestMs, release);
    this.#held.set(release, checks);
    checks.then(release, release);
  }

  /** The checks that records wait for. */
  pendingChecks(): Iterable<Promise<unknown>> {
    return this.#held.values();
  }

  /** Writes all waiting records. */
  release(): void {
    for (const release of [...this.#held.keys()]) release();
  }
}
