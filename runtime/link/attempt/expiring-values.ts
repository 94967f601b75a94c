import { LRUCache } from 'lru-cache';

/** Values that are used until they expire, such as tokens. */
export interface ExpiringValues {
  /** Callers of the same key wait for the same value; a failure is not kept. `now` is in milliseconds since the epoch. */
  get<Value>(
    key: string,
    now: number,
    make: () => Promise<{ readonly value: Value; readonly expiresAt: number }>,
  ): Promise<Value>;
}

const capacity = 1000;

/** A value is replaced before it expires, since a request with it takes time: a tenth of its life earlier, at most a minute. */
const earliestRenewal = (now: number, expiresAt: number): number =>
  expiresAt - Math.min(60_000, Math.max(0, expiresAt - now) / 10);

interface Entry {
  readonly value: Promise<unknown>;
  /** Until it is made, it is waited for. */
  renewAt: number;
}

export const createExpiringValues = (): ExpiringValues => {
  const entries = new LRUCache<string, Entry>({ max: capacity });
  return {
    get(key, now, make) {
      const known = entries.get(key);
      // The key names the maker, so that every value of a key has the same type.
      if (known !== undefined && now < known.renewAt) return known.value as ReturnType<typeof this.get<never>>;
      const made = make();
      const entry: Entry = { value: made.then(({ value }) => value), renewAt: Number.POSITIVE_INFINITY };
      entries.set(key, entry);
      made.then(
        ({ expiresAt }) => {
          entry.renewAt = earliestRenewal(now, expiresAt);
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return made.then(({ value }) => value);
    },
  };
};
