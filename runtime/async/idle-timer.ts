import type { Clock } from '../ports/clock.ts';

export interface IdleTimerOptions {
  readonly clock: Clock;
  /** How many milliseconds of silence end the stream. */
  readonly idleMs: number;
  /** Whether the silence so far has another cause than the upstream. If so, the count starts again. */
  readonly isExcused: () => boolean;
  readonly onIdle: () => void;
}

/**
 * How many milliseconds an upstream has to end its answer. A gateway that is the provider may judge the answer after its last
 * event, and then send the result.
 */
const graceMs = 5_000;

/** Watches for silence with a timer that measures the silence when it fires, so that chunks need not reset it. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #lastHeard = 0;
  #stopTimer: (() => void) | undefined;
  #stopEnd: (() => void) | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  heard(): void {
    this.#lastHeard = this.#options.clock.monotonic();
  }

  start(): void {
    this.heard();
    this.#arm(this.#options.idleMs);
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopEnd?.();
  }

  /** Called when the stream has received everything that belongs to it. Five seconds later it is idle, whatever it receives. */
  expectEnd(): void {
    if (this.#stopEnd === undefined) this.#awaitEnd();
  }

  #awaitEnd(): void {
    const { clock, isExcused, onIdle } = this.#options;
    this.#stopEnd = clock.after(graceMs, () => {
      if (isExcused()) this.#awaitEnd();
      else onIdle();
    });
  }

  #arm(ms: number): void {
    const { clock, idleMs, isExcused, onIdle } = this.#options;
    this.#stopTimer = clock.after(ms, () => {
      const left = isExcused() ? idleMs : this.#lastHeard + idleMs - clock.monotonic();
      if (left > 0) this.#arm(left);
      else onIdle();
    });
  }
}
