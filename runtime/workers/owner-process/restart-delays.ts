/** Crashes within this time are a loop. */
const windowMs = 10_000;
const maxCrashes = 5;
const firstDelayMs = 1000;
const longestDelayMs = 30_000;

export interface RestartDelay {
  /** Milliseconds until the next worker may start. */
  readonly ms: number;
  /** Whether it is the first delay since workers last ran for a while. */
  readonly begins: boolean;
}

/**
 * How long to wait before a crashed worker is replaced: not at all, unless five have crashed within ten seconds. Then a second,
 * doubled with each further crash, up to half a minute, until none crashes for that long.
 */
export class RestartDelays {
  #crashes: readonly number[] = [];
  #delayMs = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** Called when a worker has crashed at this time, in milliseconds. */
  crashed(at: number): RestartDelay {
    const wasQuiet = at - this.#last > this.#delayMs + longestDelayMs;
    if (wasQuiet) this.#delayMs = 0;
    this.#last = at;
    this.#crashes = [...this.#crashes.filter((each) => at - each < windowMs), at];
    if (this.#delayMs === 0 && this.#crashes.length < maxCrashes) return { ms: 0, begins: false };
    const begins = this.#delayMs === 0;
    this.#delayMs = begins ? firstDelayMs : Math.min(this.#delayMs * 2, longestDelayMs);
    return { ms: this.#delayMs, begins };
  }

  /** Whether workers crash repeatedly. */
  isDelaying(at: number): boolean {
    return this.#delayMs > 0 && at - this.#last <= this.#delayMs + longestDelayMs;
  }
}
