export interface FailurePauseRules {
  /** The number of consecutive failures after which calls are paused. */
  readonly failures: number;
  /** The length of the pause in milliseconds. */
  readonly pauseMs: number;
  /** Returns the current time in milliseconds. */
  now(): number;
}

/**
 * Stops calls to a service that keeps failing. After `failures` consecutive failures, no calls are made for `pauseMs`; then one
 * every `pauseMs`, until one succeeds. A service that hangs therefore delays only a few requests.
 */
export class FailurePause {
  readonly #rules: FailurePauseRules;
  #failures = 0;
  #until = 0;

  constructor(rules: FailurePauseRules) {
    this.#rules = rules;
  }

  /** Whether a call may be made now. */
  enter(): boolean {
    const { failures, pauseMs } = this.#rules;
    if (this.#failures < failures) return true;
    const now = this.#rules.now();
    const leftMs = this.#until - now;
    // If more than a whole pause is left, the clock was set back.
    if (leftMs > 0 && leftMs <= pauseMs) return false;
    this.#until = now + pauseMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    const { failures, pauseMs } = this.#rules;
    this.#failures += 1;
    if (this.#failures === failures) this.#until = this.#rules.now() + pauseMs;
  }
}
