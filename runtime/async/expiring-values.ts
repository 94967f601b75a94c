import { LRUCache } from 'lru-cache';

/** A value, and when it expires, in milliseconds since the epoch. */
export interface Expiring<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

export interface Maker<Value> {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the caller is gone: what it had begun to make may have failed only because of that. */
  readonly isCancelled: () => boolean;
  readonly make: () => Promise<Expiring<Value>>;
}

/** Values that are used until they expire, such as tokens. */
export interface ExpiringValues {
  /**
   * Callers of the same key wait for the same value. A failure is not kept, and one that comes from the leaving of the
   * caller who made the value is not the others': the next of them makes it.
   */
  get<Value>(key: string, maker: Maker<Value>): Promise<Value>;
}

const capacity = 1000;

/** A value is replaced before it expires, since a request with it takes time: a tenth of its life earlier, at most a minute. */
const earliestRenewal = (now: number, expiresAt: number): number =>
  expiresAt - Math.min(60_000, Math.max(0, expiresAt - now) / 10);

interface Entry {
  readonly made: Promise<Expiring<unknown>>;
  readonly isAbandoned: () => boolean;
  /** Until it is made, it is waited for. */
  renewAt: number;
}

export const createExpiringValues = (): ExpiringValues => {
  const entries = new LRUCache<string, Entry>({ max: capacity });

  const begin = <Value>(key: string, { now, isCancelled, make }: Maker<Value>): Promise<Expiring<Value>> => {
    // Called inside a promise, so that what it throws at once is a rejection as well.
    const made = Promise.resolve().then(make);
    const entry: Entry = { made, isAbandoned: isCancelled, renewAt: Number.POSITIVE_INFINITY };
    entries.set(key, entry);
    made.then(
      ({ expiresAt }) => {
        entry.renewAt = earliestRenewal(now, expiresAt);
      },
      () => {
        if (entries.peek(key) === entry) entries.delete(key);
      },
    );
    return made;
  };

  const get = async <Value>(key: string, maker: Maker<Value>): Promise<Value> => {
    const known = entries.get(key);
    // Of a value whose maker gave no number nothing is known, so that it is used once.
    if (known === undefined || !(maker.now < known.renewAt)) return (await begin(key, maker)).value;
    try {
      // The key names the maker, so that every value of a key has the same type.
      return (await (known.made as Promise<Expiring<Value>>)).value;
    } catch (error) {
      if (!known.isAbandoned() || maker.isCancelled()) throw error;
      return await get(key, maker);
    }
  };

  return { get };
};
