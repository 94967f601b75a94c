import type { Clock } from '../../../sdk/clock.ts';

/** How long a miss is remembered, and the time in which at most `maxQueries` begin in total, in milliseconds. */
const second = 1000;
const maxQueries = 50;

/**
 * Looks up single keys or sessions in the store. Concurrent look-ups of the same one share a query, the number of queries per
 * second is limited, and misses are remembered for a while. The result is undefined if the store has no record, the limit is
 * reached or the query fails. Failures are not remembered.
 */
export const createLookUps = <Found>({
  ask,
  clock,
}: {
  /** Queries the store; returns undefined if there is no record. */
  readonly ask: (hash: string) => Promise<Found | undefined>;
  readonly clock: Clock;
}): ((hash: string) => Promise<Found | undefined> | undefined) => {
  const running = new Map<string, Promise<Found | undefined>>();
  /** When each miss is forgotten, the earliest first. */
  const misses = new Map<string, number>();
  /** When the last queries began, the earliest first. */
  const begun: number[] = [];

  const forget = (now: number): void => {
    for (const [hash, until] of misses) {
      if (until > now) break;
      misses.delete(hash);
    }
    while (begun[0] !== undefined && begun[0] <= now - second) begun.shift();
  };

  const lookUp = async (hash: string): Promise<Found | undefined> => {
    try {
      const found = await ask(hash);
      if (found === undefined) misses.set(hash, clock.monotonic() + second);
      return found;
    } catch {
      return undefined;
    } finally {
      running.delete(hash);
    }
  };

  return (hash) => {
    const now = clock.monotonic();
    forget(now);
    const others = running.get(hash);
    if (others !== undefined) return others;
    if (misses.has(hash) || begun.length >= maxQueries) return undefined;
    begun.push(now);
    const found = lookUp(hash);
    running.set(hash, found);
    return found;
  };
};
