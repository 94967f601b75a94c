import type { Clock } from '../../../sdk/clock.ts';

interface LookUpsOptions<Found> {
  /** Asks the store; undefined if it has nothing. */
  readonly ask: (hash: string) => Promise<Found | undefined>;
  readonly clock: Clock;
  /** How many begin in any second, together. */
  readonly perSecond?: number;
  /** As long as nothing is remembered to be nothing, in milliseconds. */
  readonly missMs?: number;
}

const second = 1000;

/**
 * Asks the store for single keys or sessions: once for those who ask for the same one at the same time, so many in a second, and not
 * again soon for what it did not have. What cannot be asked is answered with undefined, as is what the store does not have;
 * what fails is not remembered.
 */
export const createLookUps = <Found>({
  ask,
  clock,
  perSecond = 50,
  missMs = second,
}: LookUpsOptions<Found>): ((hash: string) => Promise<Found | undefined> | undefined) => {
  const running = new Map<string, Promise<Found | undefined>>();
  /** When the misses are forgotten, the earliest first. */
  const misses = new Map<string, number>();
  /** When the last ones began, the earliest first. */
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
      if (found === undefined) misses.set(hash, clock.monotonic() + missMs);
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
    if (misses.has(hash) || begun.length >= perSecond) return undefined;
    begun.push(now);
    const found = lookUp(hash);
    running.set(hash, found);
    return found;
  };
};
