import { LRUCache } from 'lru-cache';

/** A value, and when it expires, in milliseconds since the epoch. */
export interface Expiring<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

export interface Maker<Value> {
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the caller is gone. If so, the creation that it started may have failed only because of that. */
  readonly isCancelled: () => boolean;
  readonly make: () => Promise<Expiring<Value>>;
}

/** Values that are used until they expire, such as tokens. */
export interface ExpiringValues {
  /**
   * Returns the value of a key. Callers with the same key wait for the same value. A failure is not kept. If it was caused by the
   * caller that created the value leaving, it does not apply to the others, and the next of them creates it. While a value is
   * being replaced, the previous one is used until it expires; the same applies if it cannot be replaced.
   */
  get<Value>(key: string, maker: Maker<Value>): Promise<Value>;
}

const capacity = 1000;

/** A value is replaced before it expires, because a request with it takes time: a tenth of its life earlier, at most a minute. */
const earliestRenewal = (now: number, expiresAt: number): number =>
  expiresAt - Math.min(60_000, Math.max(0, expiresAt - now) / 10);

/** The value of a key, as far as it is known. */
interface Entry {
  readonly made: Promise<Expiring<unknown>>;
  readonly isAbandoned: () => boolean;
  /** The value that is used while this one is being created. */
  readonly former: Expiring<unknown> | undefined;
  /** If this is later than now, the clock was set back, and the age of the value is unknown. */
  readonly begunAt: number;
  /** When to replace it. Until it is created, callers wait for it. */
  renewAt: number;
  /** Absent until it is created. */
  value: Expiring<unknown> | undefined;
}

/** If the maker of a value returned no number, nothing is known of it, and it counts as expired. */
const isUsable = (value: Expiring<unknown> | undefined, now: number): value is Expiring<unknown> =>
  value !== undefined && now < value.expiresAt;

/** Returns when to try again to replace a value: after half of its remaining time. */
const nextTry = (now: number, { expiresAt }: Expiring<unknown>): number => now + (expiresAt - now) / 2;

export const createExpiringValues = (): ExpiringValues => {
  const entries = new LRUCache<string, Entry>({ max: capacity });

  const begin = (
    key: string,
    { now, isCancelled, make }: Maker<unknown>,
    former: Expiring<unknown> | undefined,
  ): Entry => {
    const begunAt = now();
    // Called inside a promise, so that a synchronous error is a rejection as well.
    const made = Promise.resolve().then(make);
    const entry: Entry = {
      ...{ isAbandoned: isCancelled, former, begunAt, renewAt: Number.POSITIVE_INFINITY, value: undefined },
      made: made.catch((error: unknown) => {
        if (isUsable(former, now())) return former;
        throw error;
      }),
    };
    entries.set(key, entry);
    entry.made.then(
      (value) => {
        entry.value = value;
        entry.renewAt = value === former ? nextTry(begunAt, value) : earliestRenewal(begunAt, value.expiresAt);
      },
      () => {
        if (entries.peek(key) === entry) entries.delete(key);
      },
    );
    return entry;
  };

  const find = async (key: string, maker: Maker<unknown>): Promise<unknown> => {
    const known = entries.get(key);
    const now = maker.now();
    // A value without an expiry is used once.
    if (known === undefined || now < known.begunAt || !(now < known.renewAt))
      return (await begin(key, maker, known?.value).made).value;
    if (known.value === undefined && isUsable(known.former, now)) return known.former.value;
    try {
      return (await known.made).value;
    } catch (error) {
      if (!known.isAbandoned() || maker.isCancelled()) throw error;
      return await find(key, maker);
    }
  };

  // A key names its maker, so all its values have the same type.
  return { get: async <Value>(key: string, maker: Maker<Value>) => (await find(key, maker)) as Value };
};
