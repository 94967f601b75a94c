import { expect, it } from 'vitest';
import { createPrices } from '../../../../runtime/usage/prices/create-prices.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { loadPlan } from '../../../../schema/plan/load-plan.ts';
import { type SavedPrices, toSavedPrices } from '../../../../schema/usage/model-price.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const prices: SavedPrices = { 'gpt-4o': { price: { input: 1000, output: 2000 } } };

it('stores the prices of a saved provider in its targets, and requires a build that knows the feature', () => {
  const provider = { provider: 'openai', credential: { api_key: `\${env:KEY}` } };
  const running = (named: string) =>
    runConfig(
      { provider: named },
      {
        upstream: () => stubAnswer(openaiAnswer({ text: 'yes' })),
        saved: { providers: { ours: { ...provider, prices }, free: provider }, virtualKeys: {}, guardrails: {} },
      },
    );
  const { plan } = running('@ours');
  expect(loadPlan(JSON.stringify(plan)).targets[0]?.prices).toEqual(prices);
  expect(plan.requires.features).toContain('saved-prices');
  expect(running('@free').plan.requires.features).not.toContain('saved-prices');
});

it('reads the prices of a target as they were stored, whatever they consist of', () => {
  const batch = { input: 1, output: 2, request: 3 };
  const stored: SavedPrices = {
    whole: { price: { input: 1, output: 2, reasoning: 4, tiers: { batch } } },
    multiplied: { multiplier: { input: 2, output: 3 }, request: 0.01 },
    batches: { tiers: { batch } },
    free: {},
  };
  expect(toSavedPrices(stored as JsonObject)).toEqual(stored);
});

/** Sends a request at these prices, and returns the costs in its trail. */
const costsAt = async (saved: SavedPrices): Promise<readonly unknown[]> => {
  const own = createPrices();
  await own.ready();
  const provider = { provider: 'openai', credential: { api_key: `\${env:KEY}` } };
  const { handle } = runConfig(
    { provider: '@ours' },
    {
      upstream: () => stubAnswer(openaiAnswer({ text: 'yes' })),
      prices: own,
      usage: true,
      saved: { providers: { ours: { ...provider, prices: saved } }, virtualKeys: {}, guardrails: {} },
    },
  );
  const exchange = sampleExchange({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
  await handle(exchange);
  return exchange.trail.flatMap((event) => (event.kind === 'settled' ? [event.usage.cost] : []));
};

it('records what an attempt costs at the prices of the saved provider', async () => {
  // 21 and 9 tokens, in billionths of a dollar.
  expect(await costsAt(prices)).toEqual([{ nanoUsd: 21_000_000 + 18_000_000, prices: 'integration' }]);
});

it('records a cost of at most a thousand dollars, as limits and the ledger count it', async () => {
  const most = [{ nanoUsd: 1e12, prices: 'integration' }];
  for (const input of [1e9, 1e300]) expect(await costsAt({ 'gpt-4o': { price: { input, output: 0 } } })).toEqual(most);
});
