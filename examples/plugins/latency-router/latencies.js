/** How much the latest answer counts in an average. */
const weight = 0.2;

/** The most targets whose latencies are kept. */
const maxTargets = 1000;

/** The targets of one group have the same path but for its last part. */
const groupOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** The moving averages of the times that targets need until they answer, in milliseconds. */
export class Latencies {
  #averages = new Map();

  /** A target that fails is forgotten, so that nobody is compared with it. */
  forget(path) {
    this.#averages.delete(path);
  }

  note(path, ms, now) {
    const before = this.#averages.get(path);
    const average = before === undefined ? ms : before.average + weight * (ms - before.average);
    this.#averages.delete(path);
    this.#averages.set(path, { average, at: now });
    if (this.#averages.size > maxTargets) this.#averages.delete(this.#averages.keys().next().value);
  }

  /** Whether a target needs more than `factor` times as long as the fastest of its group, by what was seen lately. */
  isSlow(path, { factor, freshMs, now }) {
    const own = this.#averages.get(path);
    if (own === undefined || now - own.at > freshMs) return false;
    const others = [...this.#averages].filter(
      ([other, { at }]) => groupOf(other) === groupOf(path) && now - at <= freshMs,
    );
    return own.average > factor * Math.min(...others.map(([, { average }]) => average));
  }
}
