import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPrices } from '../../../runtime/usage/create-prices.ts';
import { nanoUsd } from '../../../runtime/usage/nano-usd.ts';
import { type ModelPrice, priceOf } from '../../../runtime/usage/own-prices.ts';
import { toUsageRecord, type UsageRecord } from '../../../schema/usage-record.ts';
import { lawRuns } from '../../support/law-runs.ts';

const at = Date.UTC(2026, 5, 1);
const call = { provider: 'openai', listedAs: 'openai', model: 'gpt-4o', at };

const record = (usage: Parameters<typeof toUsageRecord>[0], model = 'gpt-4o'): UsageRecord =>
  toUsageRecord(usage, { kind: 'reported', model });

const price: ModelPrice = { input: 2, output: 8, cache_read: 0.5, cache_write: 2.5, cache_write_1h: 4 };

describe("the operator's own prices", () => {
  it('price each token once', () => {
    const usage = { input: 1000, output: 100, cacheRead: 300, cacheWrite: 200, cacheWriteByTtl: { '1h': 50 } };
    // 500 plain, 300 read, 150 written for five minutes, 50 for an hour, and 100 of output.
    expect(priceOf(record(usage), price) * 1e6).toBeCloseTo(500 * 2 + 300 * 0.5 + 150 * 2.5 + 50 * 4 + 100 * 8, 6);
  });

  it('go before list prices, by the model that answered, the one requested, or all models of the provider', async () => {
    const of = (input: number): ModelPrice => ({ input, output: 0 });
    const prices = createPrices({ openai: { 'gpt-4o-2': of(1), 'gpt-4o': of(2), '*': of(3) } });
    await prices.ready();
    const usd = (model: string, requested: string): number | undefined =>
      prices.cost(record({ input: 1_000_000, output: 0 }, model), { ...call, model: requested })?.nanoUsd;
    expect(usd('gpt-4o-2', 'gpt-4o')).toBe(1e9);
    expect(usd('gpt-4o-2024', 'gpt-4o')).toBe(2e9);
    expect(usd('other', 'other')).toBe(3e9);
  });

  it('cost at least what the same tokens cost without a cache, if the cache is not cheaper, and never less than nothing', () => {
    const count = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(count, count, count, count, (input, output, cacheRead, cacheWrite) => {
        const flat = { input: 3, output: 5 };
        const all = record({ input, output, cacheRead, cacheWrite });
        const plain = record({ input, output });
        expect(priceOf(all, flat)).toBeGreaterThanOrEqual(0);
        if (cacheRead + cacheWrite <= input) expect(priceOf(all, flat)).toBeCloseTo(priceOf(plain, flat), 9);
      }),
      lawRuns,
    );
  });
});

describe('list prices', () => {
  it('are known once they are loaded, and price cached tokens once', async () => {
    const prices = createPrices();
    const used = record({ input: 1000, output: 100, cacheRead: 400 });
    expect(prices.cost(used, call)).toBeUndefined();
    await prices.ready();
    const cost = prices.cost(used, call);
    // 600 at 2.50, 400 at 1.25 and 100 at 10 dollars for a million.
    expect(cost).toEqual({ nanoUsd: 600 * 2500 + 400 * 1250 + 100 * 10_000, prices: 'genai-prices' });
    expect(prices.ready()).toBeUndefined();
  });

  it('price what is kept for an hour at its own price', async () => {
    const prices = createPrices();
    await prices.ready();
    const claude = { provider: 'anthropic', listedAs: 'anthropic', model: 'claude-sonnet-4-5', at };
    const usage = { input: 1000, output: 100, cacheWrite: 500, cacheWriteByTtl: { '1h': 200 } };
    expect(prices.cost(record(usage, 'claude-sonnet-4-5'), claude)?.nanoUsd).toBe(5_325_000);
  });

  it('are unknown for unknown models and unknown providers', async () => {
    const prices = createPrices();
    await prices.ready();
    expect(prices.cost(record({ input: 1, output: 1 }, 'nothing'), { ...call, model: 'nothing' })).toBeUndefined();
    expect(prices.cost(record({ input: 1, output: 1 }), { ...call, listedAs: 'nobody' })).toBeUndefined();
  });

  it('are those of all parts where totals are less than these', async () => {
    const prices = createPrices();
    await prices.ready();
    // 5 at 1.25 and 1 at 10 dollars for a million.
    expect(prices.cost(record({ input: 1, output: 1, cacheRead: 5 }), call)?.nanoUsd).toBe(16_250);
    const claude = { provider: 'anthropic', listedAs: 'anthropic', model: 'claude-sonnet-4-5', at };
    const usage = { input: 1, output: 1, cacheRead: 10, cacheWrite: 100 };
    // 10 at 0.30, 100 at 3.75 and 1 at 15 dollars for a million.
    expect(prices.cost(record(usage, 'claude-sonnet-4-5'), claude)?.nanoUsd).toBe(393_000);
  });
});

describe('nano-dollars', () => {
  it('are rounded up, but not for the inexactness of decimal prices', () => {
    expect(nanoUsd(0.0032500000000000003)).toBe(3_250_000);
    expect(nanoUsd(1.0000000004)).toBe(1_000_000_001);
    expect(nanoUsd(0)).toBe(0);
  });
});

describe('prices of tiers and sorts of tokens', () => {
  const own: ModelPrice = {
    ...{ input: 2, output: 8, input_image: 4, output_image: 16, input_audio: 3, output_audio: 12, request: 0.001 },
    tiers: { flex: { input: 1, output: 4 } },
  };
  const usage = { input: 1000, output: 100, inputImage: 200, inputAudio: 100, outputImage: 30, outputAudio: 20 };

  it('are for images and audio their own, and for reasoning that of output, unless it has its own', () => {
    const used = record({ ...usage, reasoning: 40 });
    const usd = (700 * 2 + 200 * 4 + 100 * 3 + 50 * 8 + 30 * 16 + 20 * 12) / 1e6 + 0.001;
    expect(priceOf(used, own)).toBeCloseTo(usd, 12);
    expect(priceOf(used, { ...own, reasoning: 10 })).toBeCloseTo(usd + (40 * 2) / 1e6, 12);
  });

  it('are those of the tier that served, and half for batches without such a price', async () => {
    expect(priceOf(record({ ...usage, tier: 'flex' }), own)).toBeCloseTo((1000 * 1 + 100 * 4) / 1e6, 12);
    const prices = createPrices();
    await prices.ready();
    const cost = (tier: string | undefined, listedAs = 'openai', model = 'gpt-4o') =>
      prices.cost(record({ input: 1000, output: 100, ...(tier !== undefined && { tier }) }, model), {
        ...{ provider: listedAs, listedAs, model, at },
      })?.nanoUsd;
    expect([cost(undefined), cost('default'), cost('priority')]).toEqual([3_500_000, 3_500_000, 3_500_000]);
    expect([cost('batch'), cost('flex')]).toEqual([1_750_000, 1_750_000]);
    const claude = ['anthropic', 'claude-sonnet-4-5'] as const;
    expect(cost('batch', ...claude)).toBe(Number(cost(undefined, ...claude)) / 2);
    expect(cost('flex', ...claude)).toBe(cost(undefined, ...claude));
  });

  it('change with the size of the request, where the public list says so', async () => {
    const prices = createPrices();
    await prices.ready();
    const gemini = { provider: 'google', listedAs: 'google', model: 'gemini-2.5-pro', at };
    const cost = (input: number) => prices.cost(record({ input, output: 0 }, gemini.model), gemini)?.nanoUsd;
    expect([cost(200_000), cost(200_001)]).toEqual([250_000_000, 500_002_500]);
  });
});
