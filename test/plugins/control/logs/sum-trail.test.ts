import { expect, it } from 'vitest';
import { sumTrail } from '../../../../plugins/control/logs/writer/sum-trail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';

type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;

const attempted = (attempt: number, status: number): EventOf<'attempted'> => ({
  ...{ kind: 'attempted', path: rootPointer, target: 'fast', attempt, status, origin: 'upstream' },
});

const settled = (attempt: number, usage: Partial<UsageRecord>): EventOf<'settled'> => ({
  ...{ kind: 'settled', path: rootPointer, target: 'fast', attempt },
  usage: { kind: 'reported', model: '', input: { total: 0 }, output: { total: 0 }, ...usage },
});

it('sums a trail without attempts to nothing', () => {
  expect(sumTrail([])).toEqual({
    ...{ attempts: 0, retries: 0, fellBack: 0, lastAttempt: undefined },
    ...{ input: 0, cached: 0, output: 0, cost: 0, model: undefined },
  });
});

it('sums all attempts of a trail, and keeps the last attempt and the last model that an answer named', () => {
  const first = { input: { total: 10, cacheRead: 4 }, output: { total: 5 }, cost: { nanoUsd: 7, prices: 'p' } };
  const trail: readonly TrailEvent[] = [
    attempted(1, 500),
    settled(1, { ...first, model: 'one' }),
    { kind: 'retried', path: rootPointer, retry: 1, waitMs: 1 },
    attempted(2, 500),
    settled(2, { input: { total: 1 }, output: { total: 2 }, model: 'two' }),
    { kind: 'fellBack', path: rootPointer, from: 0, to: 1, status: 500 },
    attempted(1, 200),
    settled(1, { input: { total: 100 }, output: { total: -1 } }),
  ];
  expect(sumTrail(trail)).toEqual({
    ...{ attempts: 3, retries: 1, fellBack: 1, lastAttempt: attempted(1, 200) },
    ...{ input: 111, cached: 4, output: 7, cost: 7, model: 'two' },
  });
});
