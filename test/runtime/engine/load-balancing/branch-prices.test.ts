import { describe, expect, it } from 'vitest';
import type { PricedCall, Prices } from '../../../../runtime/ports/prices.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { at, balance, called, fallback, question, relinked, running } from './own-chooser.ts';

interface Asked {
  readonly record: UsageRecord;
  readonly call: PricedCall;
}

/** Prices that are loaded, and the calls that they were asked about. */
const asking = (nanoUsd: number | undefined): { readonly prices: Prices; readonly asked: Asked[] } => {
  const asked: Asked[] = [];
  const prices: Prices = {
    ready: () => undefined,
    cost: (record, call) => {
      asked.push({ record, call });
      return nanoUsd === undefined ? undefined : { nanoUsd, prices: 'genai-prices' };
    },
  };
  return { prices, asked };
};

/** A request whose body has been read. */
const read = (body: JsonObject) => sampleExchange(body, { readBody: body });

describe('the price of a branch', () => {
  it('is that of the request at its target and its model, in dollars', async () => {
    const { prices, asked } = asking(1_500_000_000);
    const targets = [at('a'), at('b', { provider: 'fireworks-ai', override_params: { model: 'own' } })];
    const world = running(balance(...targets), { prices, readsPrices: true });
    world.clock.advance(5000);
    const body = { ...question, max_tokens: 70 };
    await world.handle(read(body));
    const total = Math.ceil(JSON.stringify(body).length / 4);
    const shared = { kind: 'estimated', input: { total }, output: { total: 70 } };
    const asAt = world.clock.wall();
    expect(asked).toMatchObject([
      { record: { ...shared, model: 'm' }, call: { provider: 'openai', listedAs: 'openai', model: 'm', at: asAt } },
      {
        record: { ...shared, model: 'own' },
        call: { provider: 'fireworks-ai', listedAs: 'fireworks', model: 'own', at: asAt },
      },
    ]);
    expect(world.offered).toMatchObject([[{ price: 1.5 }, { price: 1.5 }]]);
  });

  it('is that of a thousand output tokens and of no model if the request says neither', async () => {
    const { prices, asked } = asking(5);
    await running(balance(at('a'), at('b')), { prices, readsPrices: true }).handle(
      sampleExchange({ messages: question.messages ?? null }),
    );
    expect(asked).toMatchObject([
      { record: { model: '', output: { total: 1000 } }, call: { model: '' } },
      { record: { model: '' } },
    ]);
  });

  it('is that of a thousand output tokens if the body cannot be read', async () => {
    const { prices, asked } = asking(5);
    await running(balance(at('a'), at('b')), { prices, readsPrices: true }).handle(
      sampleExchange({ ...question, max_tokens: 70 }, { route: { operation: 'opaque' } }),
    );
    expect(asked[0]?.record).toMatchObject({ output: { total: 1000 } });
  });

  it('is that of no input if the body is not in memory', async () => {
    const { prices, asked } = asking(5);
    const { request } = sampleExchange();
    const body = { kind: 'stream', start: () => {}, discard: () => {} } as never;
    await running(balance(at('a'), at('b')), { prices, readsPrices: true }).handle(
      sampleExchange(question, { request: { ...request, body }, route: { operation: 'opaque' } }),
    );
    expect(asked[0]?.record).toMatchObject({ input: { total: 0 } });
  });

  it('is absent if none is known', async () => {
    const { prices } = asking(undefined);
    const world = running(balance(at('a'), at('b')), { readsPrices: true, prices });
    await world.handle(read(question));
    expect(world.offered[0]?.map((target) => 'price' in target)).toEqual([false, false]);

    const without = running(balance(at('a'), at('b')), { readsPrices: true });
    await without.handle(read(question));
    expect(without.offered[0]?.map((target) => 'price' in target)).toEqual([false, false]);
  });

  it('is absent if each request chooses the provider', async () => {
    const { prices } = asking(5);
    const world = running(balance(at('a'), at('b')), { readsPrices: true, prices });
    const handle = relinked(world, (plan) => ({
      ...plan,
      targets: plan.targets.map((target, index) =>
        index === 1 ? ({ ...target, from: { kind: 'request' } } as const) : target,
      ),
    }));
    await handle(read(question));
    expect(world.offered[0]?.map((target) => 'price' in target)).toEqual([true, false]);
  });

  it('is that of the first target of a group', async () => {
    const { prices, asked } = asking(5);
    const group = fallback(
      at('b', { override_params: { model: 'first' } }),
      at('c', { override_params: { model: 'x' } }),
    );
    await running(balance(at('a'), group), { prices, readsPrices: true }).handle(read(question));
    expect(asked.map(({ call }) => call.model)).toEqual(['m', 'first']);
  });

  it('depends on the prices of the saved provider that is called', async () => {
    const { prices, asked } = asking(5);
    const own = { m: { price: { input: 1, output: 2 } } };
    const ours = { provider: 'openai', credential: { api_key: '${env:KEY}' }, prices: own };
    const world = running(balance({ provider: '@ours' }, at('b')), {
      ...{ prices, readsPrices: true },
      saved: { providers: { ours }, virtualKeys: {}, guardrails: {} },
    });
    await world.handle(read(question));
    expect(asked.map(({ call }) => call.saved)).toEqual([own, undefined]);
  });
});

describe('a load balance whose chooser reads prices', () => {
  /** Prices that take some time to load, and whether that failed. */
  const loading = (settle: 'resolve' | 'reject') => {
    let isLoaded = false;
    let waits = 0;
    const prices: Prices = {
      ready: () => {
        if (isLoaded) return undefined;
        waits += 1;
        return Promise.resolve().then(() => {
          if (settle === 'reject') throw new Error('The list of prices cannot be read.');
          isLoaded = true;
        });
      },
      cost: () => (isLoaded ? { nanoUsd: 1, prices: 'genai-prices' } : undefined),
    };
    return { prices, waits: () => waits };
  };

  it('waits until prices are loaded', async () => {
    const { prices } = loading('resolve');
    const world = running(balance(at('a'), at('b')), { prices, readsPrices: true });
    await world.handle(read(question));
    expect(world.offered[0]?.map(({ price }) => price)).toEqual([1e-9, 1e-9]);
  });

  it('chooses without prices if they cannot be loaded', async () => {
    const { prices } = loading('reject');
    const world = running(balance(at('a'), at('b')), { prices, readsPrices: true });
    expect(await world.handle(read(question))).toMatchObject({ status: 200 });
    expect(world.offered[0]?.map((target) => 'price' in target)).toEqual([false, false]);
    expect(called(world)).toEqual(['a']);
  });

  it('is the only one that waits for them', async () => {
    for (const readsPrices of [false, undefined]) {
      const { prices, waits } = loading('resolve');
      const world = running(balance(at('a'), at('b')), {
        prices,
        ...(readsPrices === undefined ? {} : { readsPrices }),
      });
      await world.handle(read(question));
      expect(waits()).toBe(0);
    }
  });
});
