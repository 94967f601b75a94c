import { describe, expect, it } from 'vitest';
import type { StreamSource } from '../../../../runtime/engine/call/stream-source.ts';
import { WholeUsage } from '../../../../runtime/engine/continued-streams/whole-usage.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';

interface Used {
  readonly input: number;
  readonly model?: string;
  readonly nanoUsd?: number;
  readonly isKept?: boolean;
}

/** The usage of an answer that consists of these streams. */
const usageOf = (...streams: readonly Used[]): WholeUsage => {
  const usage = new WholeUsage();
  for (const { input, model = 'm', nanoUsd, isKept = true } of streams) {
    const cost = nanoUsd === undefined ? {} : { cost: { nanoUsd, prices: `prices of ${model}` } };
    const record: UsageRecord = { kind: 'reported', model, input: { total: input }, output: { total: 1 }, ...cost };
    const source: Pick<StreamSource, 'counts' | 'records'> = {
      counts: () => ({ input, output: 1 }),
      records: () => (isKept ? [record] : undefined),
    };
    usage.add(source as StreamSource);
  }
  return usage;
};

describe('the usage of an answer from several streams', () => {
  it('is the sum of all, at the first model and its prices', () => {
    const usage = usageOf({ input: 5, model: 'a', nanoUsd: 10 }, { input: 7, model: 'b', nanoUsd: 20 });
    expect(usage.counts()).toEqual({ input: 12, output: 2 });
    expect(usage.records()).toMatchObject([{ model: 'a' }, { model: 'b' }]);
    expect(usage.record()).toEqual({
      ...{ kind: 'partial', model: 'a', input: { total: 12 }, output: { total: 2 } },
      cost: { nanoUsd: 30, prices: 'prices of a' },
    });
  });

  it('has no cost unless each of them has one', () => {
    for (const streams of [
      [{ input: 1, nanoUsd: 1 }, { input: 1 }],
      [{ input: 1 }, { input: 1 }],
    ])
      expect(usageOf(...streams).record()).not.toHaveProperty('cost');
  });

  it('is not reported if that of one of them is not kept, or there is none', () => {
    const usage = usageOf({ input: 5 }, { input: 7, isKept: false });
    expect([usage.records(), usage.record()]).toEqual([undefined, undefined]);
    expect(usageOf().record()).toBeUndefined();
  });
});
