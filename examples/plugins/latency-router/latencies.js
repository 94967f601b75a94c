/** How much the latest answer counts in an average. */
const weight = 0.2;

/** The moving averages of the times that targets need until they answer, in milliseconds. */
export class Latencies {
  #averages = new Map();

  /** A target that fails is forgotten, so that nobody is compared with it. */
  forget(target) {
    this.#averages.delete(target);
  }

  note(target, ms, now) {
    const before = this.#averages.get(target);
    const average = before === undefined ? ms : before.average + weight * (ms - before.average);
    this.#averages.set(target, { average, at: now });
  }

  /** Whether a target needs more than `factor` times as long as the fastest, by what was seen lately. */
  isSlow(target, { factor, freshMs, now }) {
    const own = this.#averages.get(target);
    if (own === undefined || now - own.at > freshMs) return false;
    const fresh = [...this.#averages.values()].filter(({ at }) => now - at <= freshMs);
    return own.average > factor * Math.min(...fresh.map(({ average }) => average));
  }
}
