import type { Clock } from '../ports/clock.ts';

export interface IdleTimerOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which the stream is ended. */
  readonly idleMs: number;
  /** Whether the silence so far has another cause than the upstream; the count then starts again. */
  readonly isExcused: () => boolean;
  readonly onIdle: () => void;
}

/**
 * Milliseconds that an upstream has to end its answer. A gateway that is the provider may judge the answer after its last event, and
 * then say what came of that.
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

  /** The stream has had all that belongs to it: from five seconds on it is idle, whatever is heard. */
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
