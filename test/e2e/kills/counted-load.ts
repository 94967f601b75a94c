import type { Charge } from '../../../plugins/control/metering/counters/limits.ts';

/** The users whose tokens are counted. */
export const buckets = 12;

/** After so many milliseconds what a killed process had reserved is charged. */
export const ttlMs = 1200;

/** The most tokens that an attempt reserves, and uses. */
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

export const perUser = (user: number): Charge => ({
  policy: 'tokens-of-a-user',
  bucket: String(user),
  unit: 'tokens',
  amount: 0,
  limit: 500 * (user + 1),
  reset: { every: 'never' },
});
