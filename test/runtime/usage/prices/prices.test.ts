import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import { nanoUsd } from '../../../../runtime/usage/prices/nano-usd.ts';
import { type ModelPrice, toPrice } from '../../../../runtime/usage/prices/own-prices.ts';
import { toUsageRecord, type UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const at = Date.UTC(2026, 5, 1);
const call = { provider: 'openai', listedAs: 'openai', model: 'gpt-4o', at };

const record = (usage: Parameters<typeof toUsageRecord>[0], model = 'gpt-4o'): UsageRecord =>
  toUsageRecord(usage, { kind: 'reported', model });

const price: ModelPrice = { input: 2, output: 8, cache_read: 0.5, cache_write: 2.5, cache_write_1h: 4 };

describe("the operator's own prices", () => {
  it('price each token once', () => {
    const usage = { input: 1000, output: 100, cacheRead: 300, cacheWrite: 200, cacheWriteByTtl: { '1h': 50 } };
    // 500 plain, 300 read, 150 written for five minutes, 50 for an hour, and 100 of output.
    expect(toPrice(record(usage), price) * 1e6).toBeCloseTo(500 * 2 + 300 * 0.5 + 150 * 2.5 + 50 * 4 + 100 * 8, 6);
  });

  it('take precedence over list prices, by the answering model, the requested one, or all of the provider', async () => {
    const of = (input: number): ModelPrice => ({ input, output: 0 });
    const prices = createPrices({ openai: { 'gpt-4o-2': of(1), 'gpt-4o': of(2), '*': of(3) } });
    await prices.ready();
    const usd = (model: string, requested: string): number | undefined =>
      prices.cost(record({ input: 1_000_000, output: 0 }, model), { ...call, model: requested })?.nanoUsd;
    expect(usd('gpt-4o-2', 'gpt-4o')).toBe(1e9);
    expect(usd('gpt-4o-2024', 'gpt-4o')).toBe(2e9);
    expect(usd('other', 'other')).toBe(3e9);
  });

  it('price cached tokens like plain ones if they have no cache price, and never yield a negative cost', () => {
    const count = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(count, count, count, count, (input, output, cacheRead, cacheWrite) => {
        const flat = { input: 3, output: 5 };
        const all = record({ input, output, cacheRead, cacheWrite });
        const plain = record({ input, output });
        expect(toPrice(all, flat)).toBeGreaterThanOrEqual(0);
        if (cacheRead + cacheWrite <= input) expect(toPrice(all, flat)).toBeCloseTo(toPrice(plain, flat), 9);
      }),
      lawRuns,
    );
  });
});

describe('list prices', () => {
  it('are available once they are loaded, and price cached tokens once', async () => {
    const prices = createPrices();
    const used = record({ input: 1000, output: 100, cacheRead: 400 });
    expect(prices.cost(used, call)).toBeUndefined();
    await prices.ready();
    const cost = prices.cost(used, call);
    // 600 at 2.50, 400 at 1.25 and 100 at 10 dollars per million.
    expect(cost).toEqual({ nanoUsd: 600 * 2500 + 400 * 1250 + 100 * 10_000, prices: 'genai-prices' });
    expect(prices.ready()).toBeUndefined();
  });

  it('price what is cached for an hour separately', async () => {
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

  it('are not applied to more tokens than there are if the parts exceed their total', async () => {
    const prices = createPrices();
    await prices.ready();
    // 1 at 1.25 and 1 at 10 dollars per million.
    expect(prices.cost(record({ input: 1, output: 1, cacheRead: 5 }), call)?.nanoUsd).toBe(11_250);
    expect(prices.cost(record({ input: 1, output: 1, cacheRead: 5, reasoning: 7 }), call)?.nanoUsd).toBe(11_250);
    const claude = { provider: 'anthropic', listedAs: 'anthropic', model: 'claude-sonnet-4-5', at };
    const usage = { input: 20, output: 1, cacheRead: 100, cacheWrite: 10 };
    // 10 at 3.75, 10 at 0.30 and 1 at 15 dollars per million.
    expect(prices.cost(record(usage, 'claude-sonnet-4-5'), claude)?.nanoUsd).toBe(55_500);
    const own = createPrices({ openai: { '*': price } });
    // 1 at 0.50 and 1 at 8 dollars per million.
    expect(own.cost(record({ input: 1, output: 1, cacheRead: 5 }), call)?.nanoUsd).toBe(8500);
  });
});

describe('nano-dollars', () => {
  it('are rounded up, but not because of inexact decimal prices', () => {
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

  it('are separate for images and audio, and for reasoning those of output unless it has its own', () => {
    const used = record({ ...usage, reasoning: 40 });
    const usd = (700 * 2 + 200 * 4 + 100 * 3 + 50 * 8 + 30 * 16 + 20 * 12) / 1e6 + 0.001;
    expect(toPrice(used, own)).toBeCloseTo(usd, 12);
    expect(toPrice(used, { ...own, reasoning: 10 })).toBeCloseTo(usd + (40 * 2) / 1e6, 12);
  });

  it('are those of the tier that served, and half for batches without their own price', async () => {
    expect(toPrice(record({ ...usage, tier: 'flex' }), own)).toBeCloseTo((1000 * 1 + 100 * 4) / 1e6, 12);
    const prices = createPrices();
    await prices.ready();
    const cost = (tier: string | undefined, listedAs = 'openai', model = 'gpt-4o') =>
      prices.cost(record({ input: 1000, output: 100, ...(tier !== undefined && { tier }) }, model), {
        ...{ provider: listedAs, listedAs, model, at },
      })?.nanoUsd;
    expect([cost(undefined), cost('default'), cost('auto')]).toEqual([3_500_000, 3_500_000, 3_500_000]);
    expect([cost('batch'), cost('flex')]).toEqual([1_750_000, 1_750_000]);
    const claude = ['anthropic', 'claude-sonnet-4-5'] as const;
    expect(cost('batch', ...claude)).toBe(Number(cost(undefined, ...claude)) / 2);
    expect(cost('flex', ...claude)).toBe(cost(undefined, ...claude));
    expect(cost('priority', ...claude)).toBe(cost(undefined, ...claude));
  });

  /** The list prices of OpenAI for input, cached input and output per million tokens: the usual ones, and those of Fast mode. */
  it.each<[model: string, usual: readonly number[], fast: readonly number[]]>([
    ['gpt-5.5', [5, 0.5, 30], [12.5, 1.25, 75]],
    ['gpt-5.4', [2.5, 0.25, 15], [5, 0.5, 30]],
    ['gpt-5.2', [1.75, 0.175, 14], [3.5, 0.35, 28]],
    ['gpt-5', [1.25, 0.125, 10], [2.5, 0.25, 20]],
    ['gpt-5-mini', [0.25, 0.025, 2], [0.45, 0.045, 3.6]],
    ['gpt-4.1-2025-04-14', [2, 0.5, 8], [3.5, 0.875, 14]],
    ['gpt-4.1-mini', [0.4, 0.1, 1.6], [0.7, 0.175, 2.8]],
    ['gpt-4.1-nano', [0.1, 0.025, 0.4], [0.2, 0.05, 0.8]],
    ['gpt-4o-2024-08-06', [2.5, 1.25, 10], [4.25, 2.125, 17]],
    ['gpt-4o-2024-05-13', [5, 5, 15], [8.75, 8.75, 26.25]],
    ['gpt-4o-mini', [0.15, 0.075, 0.6], [0.25, 0.125, 1]],
    ['o3', [2, 0.5, 8], [3.5, 0.875, 14]],
    ['o4-mini', [1.1, 0.275, 4.4], [2, 0.5, 8]],
  ])('of %s are those of the tier, as OpenAI lists them', (model, usual, fast) => {
    const [input = 0, cache_read = 0, output = 0] = usual;
    const prices = createPrices({ openai: { '*': { input, cache_read, output, web_search: 0.01, request: 0.5 } } });
    const usage = { input: 3000, cacheRead: 1000, output: 700, calls: { web_search: 3 } };
    const cost = (tier: string): number | undefined =>
      prices.cost(record({ ...usage, tier }, model), { ...call, model })?.nanoUsd;
    const expected = ([plain = 0, read = 0, answered = 0]: readonly number[], factor = 1): number =>
      Math.round((2000 * plain + 1000 * read + 700 * answered) * factor * 1000) + 530_000_000;
    expect([cost('priority'), cost('fast')]).toEqual([expected(fast), expected(fast)]);
    expect([cost('default'), cost('flex'), cost('batch')]).toEqual([
      ...[expected(usual), expected(usual, 0.5), expected(usual, 0.5)],
    ]);
    expect(cost('ultrafast')).toBe(expected(usual, 6));
  });

  it('of the operator apply to a tier under either of its names', () => {
    const own = { input: 2, output: 8, tiers: { priority: { input: 3, output: 9 } } };
    const costs = ['priority', 'fast', 'flex'].map((tier) =>
      createPrices({ openai: { '*': own } }).cost(record({ input: 100, output: 10, tier }), call),
    );
    expect(costs.map((cost) => cost?.nanoUsd)).toEqual([390_000, 390_000, 140_000]);
  });

  it('are known if cached tokens occur with audio and images', async () => {
    const prices = createPrices();
    await prices.ready();
    const cost = (model: string, usage: Parameters<typeof toUsageRecord>[0]) =>
      prices.cost(record(usage, model), { ...call, model })?.nanoUsd;
    // 40 at 4, 20 at 0.40, 30 of audio at 32, 10 of images at 5; 10 of text at 16 and 40 of audio at 64 dollars per million.
    const heard = { input: 100, cacheRead: 20, inputAudio: 30, inputImage: 10, output: 50, outputAudio: 40 };
    expect(cost('gpt-realtime', heard)).toBe(160_000 + 8000 + 960_000 + 50_000 + 160_000 + 2_560_000);
    // 15 of the cached tokens are audio: 40 + 15 of text at 4, 20 at 0.40, and 15 of audio at 32 dollars per million.
    expect(cost('gpt-realtime', { ...heard, cacheReadAudio: 15 })).toBe(
      220_000 + 8000 + 480_000 + 50_000 + 160_000 + 2_560_000,
    );
    // 70 at 5, 10 at 1.25, 20 of images at 10, and 50 of an image at 40 dollars per million.
    const drawn = { input: 100, cacheRead: 10, inputImage: 20, output: 50, outputImage: 50 };
    expect(cost('gpt-image-1', drawn)).toBe(350_000 + 12_500 + 200_000 + 2_000_000);
  });

  it('are known for transcriptions by time', async () => {
    const prices = createPrices();
    await prices.ready();
    const whisper = { ...call, model: 'whisper-1' };
    // 0.36 dollars per hour.
    const usage = { input: 0, output: 0, audioSeconds: 36 };
    expect(prices.cost(record(usage, 'whisper-1'), whisper)?.nanoUsd).toBe(3_600_000);
    expect(prices.cost(record(usage, 'gpt-4o'), call)?.nanoUsd).toBe(0);
  });

  it('are known for searches in the web and in files', async () => {
    const prices = createPrices();
    await prices.ready();
    const usage = { input: 1000, output: 100, calls: { web_search: 2, file_search: 3 } };
    const gpt = { ...call, model: 'gpt-5' };
    // 10 dollars per 1,000 searches in the web, and 2.50 per 1,000 in files.
    expect(prices.cost(record(usage, 'gpt-5'), gpt)?.nanoUsd).toBe(1_250_000 + 1_000_000 + 20_000_000 + 7_500_000);
  });

  it('change with the size of the request if the public list says so', async () => {
    const prices = createPrices();
    await prices.ready();
    const gemini = { provider: 'google', listedAs: 'google', model: 'gemini-2.5-pro', at };
    const cost = (input: number) => prices.cost(record({ input, output: 0 }, gemini.model), gemini)?.nanoUsd;
    expect([cost(200_000), cost(200_001)]).toEqual([250_000_000, 500_002_500]);
  });
});
