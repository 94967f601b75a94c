interface Counted {
  readonly since: number;
  readonly count: number;
}

/** Counts by key in time windows. A key's window begins with its first count. Only a limited number of keys is kept. */
export class WindowCounts {
  readonly #windowMs: number;
  readonly #maxKeys: number;
  /** The least recently counted keys come first. */
  readonly #counted = new Map<string, Counted>();

  constructor({ windowMs, maxKeys }: { readonly windowMs: number; readonly maxKeys: number }) {
    this.#windowMs = windowMs;
    this.#maxKeys = maxKeys;
  }

  /** Returns the count in the current window of a key. `now` is in milliseconds. */
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
