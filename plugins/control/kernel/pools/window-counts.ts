interface Counted {
  readonly since: number;
  readonly count: number;
}

/** Counts by key in windows of a time, each of which begins with the first that is counted. Of so many keys, the others are forgotten. */
export class WindowCounts {
  readonly #windowMs: number;
  readonly #maxKeys: number;
  /** Those that were counted least recently come first. */
  readonly #counted = new Map<string, Counted>();

  constructor({ windowMs, maxKeys }: { readonly windowMs: number; readonly maxKeys: number }) {
    this.#windowMs = windowMs;
    this.#maxKeys = maxKeys;
  }

  /** How many were counted in the window of a key. `now` is in milliseconds. */
  of(key: string, now: number): number {
    return this.#current(key, now)?.count ?? 0;
  }

  add(key: string, count: number, now: number): void {
    const before = this.#current(key, now) ?? { since: now, count: 0 };
    this.#counted.delete(key);
    this.#counted.set(key, { ...before, count: before.count + count });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > this.#maxKeys && oldest !== undefined) this.#counted.delete(oldest);
  }

  #current(key: string, now: number): Counted | undefined {
    const counted = this.#counted.get(key);
    return counted !== undefined && now - counted.since < this.#windowMs ? counted : undefined;
  }
}
