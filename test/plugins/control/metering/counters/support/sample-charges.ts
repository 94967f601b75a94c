import type { Charge } from '../../../../../../plugins/control/metering/counters/limits.ts';

/** One request, of at most two a minute. */
export const oneRequest: Charge = {
  policy: 'two-a-minute',
  bucket: 'all',
  unit: 'requests',
  amount: 1,
  limit: 2,
  reset: { every: 'minute' },
};

/** Returns a charge of some tokens, of at most a hundred a month. */
export const tokens = (amount: number): Charge => ({
  policy: 'hundred-a-month',
  bucket: 'all',
  unit: 'tokens',
  amount,
  limit: 100,
  reset: { every: 'month' },
});

export const minute = 60_000;

/** The options of a reservation that outlasts the test. */
export const lasting: { readonly ttlMs: number; readonly entry: { readonly note: string } } = {
  ttlMs: 1000 * minute,
  entry: { note: 'estimate' },
};
