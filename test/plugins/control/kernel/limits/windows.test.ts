import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reset, toWindow } from '../../../../../plugins/control/kernel/limits/limit-policy.ts';
import { createSteadyClock } from '../../../../../plugins/control/metering/counters/create-steady-clock.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { anyMoment, anyReset } from '../../metering/counters/support/arbitrary-resets.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';

/** Checks with Date whether a window of this kind may begin at a moment. */
const isStart = (reset: Reset, at: number): boolean => {
  const date = new Date(at);
  const isMidnight = date.toISOString().endsWith('T00:00:00.000Z');
  switch (reset.every) {
    case 'second':
      return date.getUTCMilliseconds() === 0;
    case 'minute':
      return date.toISOString().endsWith(':00.000Z');
    case 'hour':
      return date.toISOString().endsWith(':00:00.000Z');
    case 'day':
      return isMidnight;
    case 'monday':
      return isMidnight && date.getUTCDay() === 1;
    case 'sunday':
      return isMidnight && date.getUTCDay() === 0;
    case 'month':
      return isMidnight && date.getUTCDate() === 1;
    case 'days':
      return (at - reset.from) % (reset.days * 86_400_000) === 0;
    case 'never':
      return at === 0;
  }
};

/** Returns the start of the window that follows the one that begins at a moment. */
const following = (reset: Reset, at: number): number | undefined => {
  const date = new Date(at);
  switch (reset.every) {
    case 'second':
      return date.setUTCSeconds(date.getUTCSeconds() + 1);
    case 'minute':
      return date.setUTCMinutes(date.getUTCMinutes() + 1);
    case 'hour':
      return date.setUTCHours(date.getUTCHours() + 1);
    case 'day':
      return date.setUTCDate(date.getUTCDate() + 1);
    case 'monday':
    case 'sunday':
      return date.setUTCDate(date.getUTCDate() + 7);
    case 'month':
      return date.setUTCMonth(date.getUTCMonth() + 1);
    case 'days':
      return date.setUTCDate(date.getUTCDate() + reset.days);
    case 'never':
      return undefined;
  }
};

const days = (count: number): number => count * 86_400_000;

describe('the window of a moment', () => {
  it('begins as the calendar defines, ends when the next one begins, and contains the moment', () => {
    fc.assert(
      fc.property(anyReset, anyMoment, (reset, at) => {
        const { start, end } = toWindow(reset, at);
        expect(isStart(reset, start)).toBe(true);
        expect(end).toBe(following(reset, start));
        expect(start <= at && at < (end ?? Number.POSITIVE_INFINITY)).toBe(true);
      }),
      lawRuns,
    );
  });

  it('is the same for every moment in it', () => {
    fc.assert(
      fc.property(anyReset, anyMoment, (reset, at) => {
        const window = toWindow(reset, at);
        expect(toWindow(reset, window.start)).toEqual(window);
        if (window.end === undefined) return;
        expect(toWindow(reset, window.end - 1)).toEqual(window);
        expect(toWindow(reset, window.end).start).toBe(window.end);
      }),
      lawRuns,
    );
  });

  it.each<[Reset, string, string, string]>([
    [{ every: 'second' }, '2026-02-28T23:59:59.999Z', '2026-02-28T23:59:59.000Z', '2026-03-01T00:00:00.000Z'],
    [{ every: 'minute' }, '2026-02-28T23:59:59.999Z', '2026-02-28T23:59:00.000Z', '2026-03-01T00:00:00.000Z'],
    [{ every: 'hour' }, '2026-02-28T23:00:00.000Z', '2026-02-28T23:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    [{ every: 'day' }, '2026-02-28T23:00:00.000Z', '2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    [{ every: 'monday' }, '2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    [{ every: 'monday' }, '2026-03-01T23:59:59.999Z', '2026-02-23T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
    [{ every: 'sunday' }, '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-03-08T00:00:00.000Z'],
    [{ every: 'month' }, '2028-02-29T12:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    [{ every: 'month' }, '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    [
      { every: 'days', days: 10, from: Date.parse('2026-01-05T06:00:00Z') },
      '2026-01-01T00:00:00.000Z',
      '2025-12-26T06:00:00.000Z',
      '2026-01-05T06:00:00.000Z',
    ],
    [
      { every: 'days', days: 30, from: Date.parse('2026-01-31T09:00:00Z') },
      '2026-03-02T08:59:59.999Z',
      '2026-01-31T09:00:00.000Z',
      '2026-03-02T09:00:00.000Z',
    ],
  ])('with the reset %j at %s lasts from %s to %s', (reset, at, start, end) => {
    expect(toWindow(reset, Date.parse(at))).toEqual({ start: Date.parse(start), end: Date.parse(end) });
  });
});

describe('steady time', () => {
  const start = Date.UTC(2026, 0, 1);

  it('never goes back, is never behind the time of day, and does not stay ahead of it forever', () => {
    const steps = fc.array(fc.record({ passed: fc.nat(10_000), jump: fc.integer({ min: -5000, max: 5000 }) }));
    fc.assert(
      fc.property(steps, (all) => {
        const clock = jumpingClock(start);
        const time = createSteadyClock(clock);
        let last = time();
        for (const { passed, jump } of all) {
          clock.advance(passed);
          clock.setWall(clock.wall() + jump);
          const read = time();
          expect(read >= last && read >= clock.wall()).toBe(true);
          last = read;
        }
        clock.advance(2 * (last - clock.wall()) + 2);
        expect(time()).toBe(clock.wall());
      }),
      lawRuns,
    );
  });

  it('does not get ahead when a time of day that was set back is corrected, however wrong it was', () => {
    const steps = fc.array(fc.record({ passed: fc.nat(10_000), wrong: fc.integer({ min: -days(9), max: 0 }) }));
    fc.assert(
      fc.property(steps, (all) => {
        const clock = jumpingClock(start);
        const time = createSteadyClock(clock);
        for (const { passed, wrong } of all) {
          const right = clock.wall() + passed;
          clock.advance(passed);
          clock.setWall(right + wrong);
          time();
          clock.setWall(right);
          expect(time()).toBe(right);
        }
      }),
      lawRuns,
    );
  });

  it('runs at half speed after the time of day is set back, until the two are equal', () => {
    const clock = jumpingClock(10_000);
    const time = createSteadyClock(clock);
    clock.setWall(5000);
    const read = [0, 1000, 1000, 13_000].map((ms) => {
      clock.advance(ms);
      return time();
    });
    expect(read).toEqual([10_000, 10_500, 11_000, 20_000]);
  });
});
