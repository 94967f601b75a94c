import type { Timers } from '../../sdk/http/in-process.ts';

/** The longest time that a record waits, in milliseconds. */
const longestMs = 30_000;

/** Records of requests whose answers have ended before their checks in the background. */
export class HeldRecords {
  readonly #timers: Timers;
  readonly #held = new Map<() => void, Promise<unknown>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Writes a record once `checks` has settled, or it has waited for half a minute. */
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
  awaited(): Iterable<Promise<unknown>> {
    return this.#held.values();
  }

  /** Writes all that wait. */
  release(): void {
    for (const release of [...this.#held.keys()]) release();
  }
}
