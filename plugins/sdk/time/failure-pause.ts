export interface FailurePauseRules {
  /** The number of failures in a row after which no calls are made for a while. */
  readonly failures: number;
  /** Milliseconds. */
  readonly pauseMs: number;
  /** The present time in milliseconds. */
  now(): number;
}

/**
 * Stops calls to a service that keeps failing: after some failures in a row none is made for `pauseMs`, and then one every
 * `pauseMs` until one succeeds. So a service that hangs delays a few requests, not every one.
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
    // More than a pause is left where the time was set back.
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
