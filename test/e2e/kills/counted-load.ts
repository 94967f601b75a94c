import type { Charge } from '../../../plugins/control/metering/counters/limits.ts';

/** The users whose tokens are counted. */
export const buckets = 12;

/** The milliseconds after which the reservations of a killed process are charged. */
export const ttlMs = 1200;

/** The most tokens that an attempt reserves and uses. */
export const maxReserved = 100;
export const maxUsed = 150;

export const perSecond: Charge = {
  policy: 'requests-per-second',
  bucket: 'all',
  unit: 'requests',
  amount: 1,
  limit: 800,
  reset: { every: 'second' },
};

/**
 * The first users reach their limits immediately, and the last ones not during a run, so that something is always reserved when a
 * process is killed.
 */
export const perUser = (user: number): Charge => ({
  policy: 'tokens-of-a-user',
  bucket: String(user),
  unit: 'tokens',
  amount: 0,
  limit: 500 * 2 ** user,
  reset: { every: 'never' },
});
