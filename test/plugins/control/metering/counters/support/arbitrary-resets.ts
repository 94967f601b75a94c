import fc from 'fast-check';
import type { Reset } from '../../../../../../plugins/control/kernel/limits/limit-policy.ts';

/** Milliseconds since the epoch, in years in which the gateway may run. */
export const anyMoment: fc.Arbitrary<number> = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2120, 0) });

/** All kinds of resets. Resets after a number of days begin at any moment, which may be in the future. */
export const anyReset: fc.Arbitrary<Reset> = fc.oneof(
  fc.constantFrom<Reset>(
    { every: 'second' },
    { every: 'minute' },
    { every: 'hour' },
    { every: 'day' },
    { every: 'monday' },
    { every: 'sunday' },
    { every: 'month' },
    { every: 'never' },
  ),
  fc.record({ every: fc.constant('days' as const), days: fc.integer({ min: 1, max: 400 }), from: anyMoment }),
);
