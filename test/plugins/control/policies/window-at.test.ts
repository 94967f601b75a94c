import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reset } from '../../../../plugins/control/limits/limits.ts';
import { windowAt } from '../../../../plugins/control/policies/window-at.ts';

const time = (text: string) => Date.parse(`${text}Z`);

const shown = (reset: Reset, at: string) => {
  const window = windowAt(reset, time(at));
  return window && [window.begins, window.ends].map((ms) => new Date(ms).toISOString().slice(0, 19));
};

describe('the window of a counter', () => {
  it.each([
    ['second', '2026-02-28T23:59:59.999', '2026-02-28T23:59:59', '2026-03-01T00:00:00'],
    ['minute', '2026-02-28T23:59:59.999', '2026-02-28T23:59:00', '2026-03-01T00:00:00'],
    ['hour', '2026-02-28T23:00:00', '2026-02-28T23:00:00', '2026-03-01T00:00:00'],
    ['day', '2026-02-28T23:00:00', '2026-02-28T00:00:00', '2026-03-01T00:00:00'],
    ['month', '2024-02-29T12:00:00', '2024-02-01T00:00:00', '2024-03-01T00:00:00'],
    ['month', '2026-12-31T23:59:59', '2026-12-01T00:00:00', '2027-01-01T00:00:00'],
    // 23 November 2026 is a Monday.
    ['monday', '2026-11-22T23:59:59', '2026-11-16T00:00:00', '2026-11-23T00:00:00'],
    ['monday', '2026-11-23T00:00:00', '2026-11-23T00:00:00', '2026-11-30T00:00:00'],
    ['sunday', '2026-11-22T00:00:00', '2026-11-22T00:00:00', '2026-11-29T00:00:00'],
    ['sunday', '2026-11-21T23:59:59', '2026-11-15T00:00:00', '2026-11-22T00:00:00'],
  ] as const)('of each %s at %s begins at %s and ends at %s', (every, at, begins, ends) => {
    expect(shown({ every }, at)).toEqual([begins, ends]);
  });

  it('of so many days is counted from a moment, before it too', () => {
    const reset: Reset = { every: 'days', days: 10, from: time('2026-01-05T06:00:00') };
    expect(shown(reset, '2026-01-15T05:59:59')).toEqual(['2026-01-05T06:00:00', '2026-01-15T06:00:00']);
    expect(shown(reset, '2026-01-01T00:00:00')).toEqual(['2025-12-26T06:00:00', '2026-01-05T06:00:00']);
    expect(windowAt({ every: 'never' }, 0)).toBeUndefined();
  });

  it('has its moment in it, and the next one begins where it ends', () => {
    const day = fc.constantFrom<Reset>(
      ...(['second', 'minute', 'hour', 'day', 'monday', 'sunday', 'month'] as const).map((every) => ({ every })),
    );
    const days = fc.record({
      every: fc.constant('days' as const),
      days: fc.integer({ min: 1, max: 365 }),
      from: fc.nat(4_000_000_000_000),
    });
    fc.assert(
      fc.property(fc.oneof(day, days), fc.nat(4_000_000_000_000), (reset, at) => {
        const window = windowAt(reset, at);
        if (window === undefined) throw new Error('There is no window.');
        expect(window.begins <= at && at < window.ends).toBe(true);
        expect(windowAt(reset, window.begins)).toEqual(window);
        expect(windowAt(reset, window.ends - 1)).toEqual(window);
        expect(windowAt(reset, window.ends)?.begins).toBe(window.ends);
      }),
    );
  });
});
