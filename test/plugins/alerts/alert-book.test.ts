import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Alert } from '../../../plugins/alerts/messages/alert.ts';
import { AlertBook, type AlertBookOptions } from '../../../plugins/alerts/messages/alert-book.ts';
import { createVirtualClock, type VirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { sampleOccurrence } from './support/sample-alert.ts';

const everyMs = 300_000;

interface Taken {
  readonly alert: Alert;
  readonly at: number;
}

/**
 * A book whose receiver takes the given number of milliseconds for each message, or never ends. Later messages end immediately.
 */
const book = (waits: readonly (number | 'never')[] = [], changed: Partial<AlertBookOptions> = {}) => {
  const clock = createVirtualClock();
  const taken: Taken[] = [];
  const left = [...waits];
  let made = 0;
  const kept = new AlertBook({
    ...{ clock, everyMs, lostMs: 3_600_000, maxKeys: 100 },
    newId: () => {
      made += 1;
      return `msg_${made}`;
    },
    send: (alert) => {
      const wait = left.shift() ?? 0;
      if (wait === 'never') return true;
      clock.after(wait, () => {
        taken.push({ alert, at: clock.monotonic() });
        kept.ended(alert);
      });
      return true;
    },
    ...changed,
  });
  return { clock, taken, kept };
};

const pass = (clock: VirtualClock, kept: AlertBook, seconds: number): void => {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1000);
    kept.look();
  }
};

it('sends the first change immediately and all changes within the interval as one message with their count', () => {
  const { clock, taken, kept } = book();
  kept.note(sampleOccurrence);
  for (let change = 0; change < 4; change += 1) {
    kept.note({ ...sampleOccurrence, state: 'resolved' });
    kept.note(sampleOccurrence);
  }
  kept.note({ ...sampleOccurrence, state: 'resolved' });
  pass(clock, kept, 301);
  expect(taken.map(({ alert: { state, count, id } }) => [state, count, id])).toEqual([
    ['open', 1, 'msg_1'],
    ['resolved', 9, 'msg_2'],
  ]);
});

it('sends nothing if an occurrence that was never reported is resolved before the interval is over', () => {
  const { clock, taken, kept } = book();
  kept.note({ ...sampleOccurrence, state: 'resolved' });
  pass(clock, kept, 400);
  expect(taken).toEqual([]);
});

it('aggregates one-time occurrences and includes sample names', () => {
  const { clock, taken, kept } = book();
  for (let at = 0; at < 10_000; at += 1)
    kept.note({ ...sampleOccurrence, state: 'once', kind: 'limit.exhausted', key: 'limit p', sample: `user-${at}` });
  pass(clock, kept, 700);
  expect(taken.map(({ alert: { count, samples } }) => [count, samples.length])).toEqual([
    [1, 1],
    [9999, 10],
  ]);
});

it('allows one tenant a quarter of its keys, and forgets resolved occurrences', () => {
  const { clock, taken, kept } = book();
  const note = (tenant: string, at: number, state: 'open' | 'resolved'): void =>
    kept.note({ ...sampleOccurrence, tenant, key: `${tenant} ${at}`, state });
  for (let at = 0; at < 10_000; at += 1) note('flood', at, 'open');
  expect([taken.length, kept.dropped]).toEqual([0, 9975]);
  note('other', 0, 'open');
  pass(clock, kept, 1);
  expect(taken.map(({ alert }) => alert.tenant).filter((tenant) => tenant === 'other')).toHaveLength(1);
  for (let at = 0; at < 10_000; at += 1) note('flood', at, 'resolved');
  pass(clock, kept, 700);
  const before = taken.length;
  for (let at = 0; at < 10_000; at += 1) note('flood', at, 'open');
  pass(clock, kept, 1);
  expect(taken.length - before).toBe(25);
});

it('creates a new message if the outcome of an earlier one is never reported', () => {
  const { clock, taken, kept } = book(['never']);
  kept.note(sampleOccurrence);
  pass(clock, kept, 3602);
  expect(taken.map(({ alert: { id, state } }) => [id, state])).toEqual([['msg_2', 'open']]);
});

const step = fc.record({
  key: fc.constantFrom('a', 'b'),
  state: fc.constantFrom('open' as const, 'resolved' as const),
  afterS: fc.constantFrom(0, 0, 1, 20, 299, 301, 1000),
});
const waits = fc.array(fc.constantFrom(0, 10, 5000, 400_000, 'never' as const), { maxLength: 10 });

it('alternates states, keeps its interval and ends with the last state, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), waits, (steps, script) => {
      const { clock, taken, kept } = book(script);
      const last = new Map<string, 'open' | 'resolved'>();
      for (const { key, state, afterS } of steps) {
        pass(clock, kept, afterS);
        kept.note({ ...sampleOccurrence, key, state });
        last.set(key, state);
      }
      pass(clock, kept, 5 * 3700);
      for (const [key, state] of last) {
        const ofKey = taken.filter(({ alert }) => alert.key === key);
        expect(ofKey.map(({ alert }) => alert.state)).toEqual(
          ofKey.map((_, index) => (index % 2 === 0 ? 'open' : 'resolved')),
        );
        expect(ofKey.at(-1)?.alert.state ?? 'resolved').toBe(state);
        for (const [index, { at }] of ofKey.entries())
          if (index > 0) expect(at - (ofKey[index - 1]?.at ?? 0)).toBeGreaterThanOrEqual(everyMs);
      }
    }),
    lawRuns,
  );
});
