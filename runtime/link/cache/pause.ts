import type { Clock } from '../../ports/clock.ts';

const mostFailures = 3;
const pauseMs = 1000;

/**
 * Leaves a store alone that keeps failing: after three failures in a row it is not asked for a second, and then by one
 * call a second until one of them succeeds. So a store that hangs delays a few requests, not every one.
 */
export class Pause {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #failures = 0;
  #until = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Whether a call may be made now. */
  enter(): boolean {
    if (this.#failures < mostFailures) return true;
    const now = this.#clock.monotonic();
    if (now < this.#until) return false;
    this.#until = now + pauseMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures === mostFailures) this.#until = this.#clock.monotonic() + pauseMs;
  }
}
