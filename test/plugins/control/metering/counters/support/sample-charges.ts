import type { Charge } from '../../../../../../plugins/control/metering/counters/limits.ts';

/** One request of at most two in a minute. */
export const oneRequest: Charge = {
  policy: 'two-a-minute',
  bucket: 'all',
  unit: 'requests',
  amount: 1,
  limit: 2,
  reset: { every: 'minute' },
};

/** So many tokens of a hundred in a month. */
export const tokens = (amount: number): Charge => ({
  policy: 'hundred-a-month',
  bucket: 'all',
  unit: 'tokens',
  amount,
  limit: 100,
  reset: { every: 'month' },
});

export const minute = 60_000;

/** Reservations of tests outlast them unless they say otherwise. */
export const lasting: { readonly ttlMs: number; readonly entry: { readonly note: string } } = {
  ttlMs: 1000 * minute,
  entry: { note: 'estimate' },
};
