import { describe, expect, it } from 'vitest';
import {
  pricingProblems,
  toSavedPrice,
} from '../../../../../plugins/control/catalog/integrations/integration-models.ts';
import { pricingRoutes } from '../../../../../plugins/control/catalog/integrations/integration-routes.ts';
import { createPrices } from '../../../../../runtime/usage/prices/create-prices.ts';
import { toUsageRecord } from '../../../../../schema/usage/usage-record.ts';
import { controlWorld } from '../../support/control-world.ts';

const cents = {
  pay_as_you_go: {
    request_token: { price: 0.00025 },
    response_token: { price: 0.001 },
    cache_read_input_token: { price: 0.000125 },
    reasoning_token: { price: 0.002 },
    additional_units: { web_search: { price: 1 } },
  },
  batch_config: { request_token: { price: 0.0001 }, response_token: { price: 0.0005 } },
  fixed_cost: { request: { price: 0.5 }, response: { price: 0.5 } },
  currency: 'USD',
} as const;

const record = (usage: Parameters<typeof toUsageRecord>[0]) =>
  toUsageRecord(usage, { kind: 'reported', model: 'gpt-4o-2024-08-06' });

const call = { provider: 'openai', listedAs: 'openai', model: 'gpt-4o', at: Date.UTC(2026, 5, 1) };

describe('prices of an integration', () => {
  it('are converted from US cents per unit to US dollars, per million for tokens', () => {
    expect(toSavedPrice(cents)).toEqual({
      price: {
        ...{ input: 2.5, output: 10, cache_read: 1.25, reasoning: 20, web_search: 0.01, request: 0.01 },
        tiers: { batch: { input: 1, output: 5, request: 0.01 } },
      },
    });
  });

  it('take precedence over all other prices, count each token once and round up once', async () => {
    const prices = createPrices({ openai: { '*': { input: 99, output: 99 } } });
    await prices.ready();
    const saved = { 'gpt-4o': toSavedPrice({ pay_as_you_go: cents.pay_as_you_go }) };
    const used = record({ input: 1000, output: 100, cacheRead: 400, reasoning: 60, calls: { web_search: 2 } });
    // 600 at 2.50, 400 at 1.25, 40 at 10 and 60 at 20 dollars for a million, and two searches of a cent.
    const nanoUsd = 600 * 2500 + 400 * 1250 + 40 * 10_000 + 60 * 20_000 + 2e7;
    expect(prices.cost(used, { ...call, saved })).toEqual({ nanoUsd, prices: 'integration' });
    const third = { 'gpt-4o': toSavedPrice({ pay_as_you_go: { request_token: { price: 1e-8 } } }) };
    expect(prices.cost(record({ input: 3, output: 0 }), { ...call, saved: third })?.nanoUsd).toBe(1);
  });

  it('multiply the public prices if they consist only of multipliers', async () => {
    const prices = createPrices();
    await prices.ready();
    const used = record({ input: 1000, output: 100 });
    const saved = { 'gpt-4o': toSavedPrice({ multiplier: { default: 2, response_token: 0.5 } }) };
    const [plain, multiplied] = [prices.cost(used, call), prices.cost(used, { ...call, saved })];
    expect(plain?.nanoUsd).toBe(1000 * 2500 + 100 * 10_000);
    expect(multiplied).toEqual({ nanoUsd: 2 * 1000 * 2500 + 50 * 10_000, prices: 'genai-prices' });
    const own = toSavedPrice({ ...cents, multiplier: { default: 2, response_token: 1 } });
    expect(own.price).toMatchObject({ input: 5, output: 10, cache_read: 2.5 });
  });

  it('add what each request costs to the prices of tokens if they have none themselves', async () => {
    const saved = { 'gpt-4o': toSavedPrice({ fixed_cost: cents.fixed_cost, multiplier: { default: 2 } }) };
    const used = record({ input: 1000, output: 100 });
    const own = { other: { '*': { input: 1, output: 1 } } };
    const prices = createPrices(own);
    // Before public prices are loaded, only the operator's own are known.
    expect(prices.cost(used, { ...call, saved })).toBeUndefined();
    await prices.ready();
    const tokens = 1000 * 2500 + 100 * 10_000;
    expect(prices.cost(used, { ...call, saved })).toEqual({ nanoUsd: 2 * tokens + 1e7, prices: 'genai-prices' });
    const ofOther = { ...call, provider: 'other', listedAs: 'other', saved };
    expect(prices.cost(used, ofOther)).toEqual({ nanoUsd: 2 * 1_100_000 + 1e7, prices: 'gateway file' });
    const unlisted = { ...call, listedAs: 'unlisted', saved };
    expect(prices.cost(used, unlisted)).toEqual({ nanoUsd: 1e7, prices: 'integration' });
  });

  it('apply to batches also if other requests have none', async () => {
    const { batch_config, fixed_cost } = cents;
    const saved = { 'gpt-4o': toSavedPrice({ batch_config }) };
    const prices = createPrices();
    await prices.ready();
    const used = record({ input: 1000, output: 100 });
    const batch = { ...used, tier: 'batch' };
    expect(prices.cost(used, { ...call, saved })).toEqual(prices.cost(used, call));
    const nanoUsd = 1000 * 1000 + 100 * 5000;
    expect(prices.cost(batch, { ...call, saved })).toEqual({ nanoUsd, prices: 'integration' });
    const both = { 'gpt-4o': toSavedPrice({ batch_config, fixed_cost }) };
    expect(prices.cost(batch, { ...call, saved: both })).toEqual({ nanoUsd: nanoUsd + 1e7, prices: 'integration' });
  });

  it('are refused if they are invalid', () => {
    const problems = (config: Parameters<typeof pricingProblems>[1]) =>
      pricingProblems(['models', 0, 'pricing_config'], config).map(({ pointer }) =>
        pointer.replace('/models/0/pricing_config', ''),
      );
    expect(problems(cents)).toEqual([]);
    expect(
      problems({
        a: 1,
        currency: 'EUR',
        pay_as_you_go: { request_token: { price: -1 }, other_token: { price: 1 }, response_token: 4 },
        batch_config: 3,
        fixed_cost: { other: { price: 1 } },
        multiplier: { default: '2', colour: 1 },
      }),
    ).toEqual([
      ...['/a', '/currency', '/pay_as_you_go/request_token/price', '/pay_as_you_go/other_token'],
      ...['/pay_as_you_go/response_token', '/batch_config', '/fixed_cost/other', '/multiplier/default'],
      '/multiplier/colour',
    ]);
  });
});

it('GET /model-configs/pricing returns public prices in cents, and 404 for a model without one', async () => {
  await using world = await controlWorld({ routes: pricingRoutes });
  expect(await world.ask('/model-configs/pricing/openai/gpt-4o')).toEqual({
    status: 200,
    body: {
      ...{ object: 'pricing', currency: 'USD' },
      pay_as_you_go: {
        request_token: { price: 0.00025 },
        response_token: { price: 0.001 },
        cache_read_input_token: { price: 0.000125 },
        additional_units: { web_search: { price: 1 } },
      },
    },
  });
  expect((await world.ask('/model-configs/pricing/google/gemini-2.5-pro')).body.pay_as_you_go.request_token).toEqual({
    price: 0.000125,
    tiers: [{ above_tokens: 200_000, price: 0.00025 }],
  });
  const { status, body } = await world.ask('/model-configs/pricing/openai/no-such-model');
  expect([status, body.error.message]).toEqual([404, expect.stringContaining('no-such-model')]);
});
