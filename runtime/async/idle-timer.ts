import type { Clock } from '../ports/clock.ts';

export interface IdleTimerOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which the stream is ended. */
  readonly idleMs: number;
  /** Whether the silence so far has another cause than the upstream; the count then starts again. */
  readonly isExcused: () => boolean;
  readonly onIdle: () => void;
}

/** Watches for silence with one timer, which measures the silence when it fires, so that chunks need not reset it. */
export class IdleTimer {
  readonly #options: IdleTimerOptions;
  #lastHeard = 0;
  #stopTimer: (() => void) | undefined;

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
