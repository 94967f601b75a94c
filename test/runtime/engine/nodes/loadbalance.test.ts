import { describe, expect, it } from 'vitest';
import type { Prices } from '../../../../runtime/ports/prices.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const at = (host: string, more: JsonObject = {}): JsonObject => ({
  ...{ provider: 'openai', api_key: '${env:KEY}', custom_host: `https://${host}.example` },
  ...more,
});
const balance = (strategy: JsonObject, ...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'loadbalance', ...strategy },
  targets,
});
const answering: StubHandler = () => stubAnswer({});

/** Sends requests with different seeds and returns the hosts that were called. */
const calledHosts = async (config: JsonObject, users: readonly string[]): Promise<readonly string[]> => {
  const { handle, upstreams } = runConfig(config, { upstream: answering });
  for (const [seed, user] of users.entries()) await handle(sampleExchange({ ...question, user }, { seed }));
  return upstreams.requests.map(({ origin }) => new URL(origin).hostname.replace('.example', ''));
};
const oneUser = Array.from({ length: 30 }, () => 'one');
const manyUsers = Array.from({ length: 30 }, (_, user) => `${user}`);

describe('a load balance', () => {
  it('draws its branches by weight, whoever sends the requests', async () => {
    expect(new Set(await calledHosts(balance({}, at('a'), at('b')), oneUser))).toEqual(new Set(['a', 'b']));
  });

  it('sends the requests of one user to one branch if it is sticky', async () => {
    const sticky = balance({ sticky: { by: 'user' } }, at('a'), at('b'));
    expect(new Set(await calledHosts(sticky, oneUser)).size).toBe(1);
    expect(new Set(await calledHosts(sticky, manyUsers))).toEqual(new Set(['a', 'b']));
  });

  it('sends requests to the cheapest branch once prices are loaded', async () => {
    let isLoaded = false;
    const prices: Prices = {
      ready: () =>
        isLoaded
          ? undefined
          : Promise.resolve().then(() => {
              isLoaded = true;
            }),
      cost: (_, { model }) =>
        isLoaded ? { nanoUsd: model === 'cheap' ? 1 : 1000, prices: 'genai-prices' } : undefined,
    };
    const config = balance(
      { balance: 'price' },
      at('a', { override_params: { model: 'dear' } }),
      at('b', { override_params: { model: 'cheap' } }),
    );
    const { handle, upstreams } = runConfig(config, { upstream: answering, prices });
    for (let seed = 0; seed < 20; seed += 1)
      expect(await handle(sampleExchange(question, { seed }))).toMatchObject({ status: 200 });
    expect(new Set(upstreams.requests.map(({ origin }) => origin))).toEqual(new Set(['https://b.example']));
  });

  it('refuses a request that none of its branches can serve if it requires capabilities', async () => {
    const config = balance(
      { require: 'capabilities' },
      at('a', { provider: 'anthropic' }),
      at('b', { provider: 'groq' }),
    );
    const { handle, upstreams } = runConfig(config, { upstream: answering });
    const route = { operation: 'embed', dialect: 'embeddings' } as const;
    const answer = await handle(sampleExchange({ model: 'm', input: 'hi' }, { route }));
    expect(answer).toMatchObject({ status: 422, cause: 'no-capable-target' });
    expect(upstreams.requests).toEqual([]);
  });
});

describe.each(['loadbalance', 'fallback'])('a %s whose circuits are all open', (mode) => {
  it('calls its targets all the same, and records none as skipped', async () => {
    const breaker: JsonObject = { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } };
    const config = { strategy: { mode }, targets: [at('a', breaker), at('b', breaker)] };
    const { handle, upstreams } = runConfig(config, { upstream: () => stubAnswer({}, { status: 503 }) });
    for (let seed = 0; seed < 20; seed += 1) await handle(sampleExchange(question, { seed }));
    const before = upstreams.requests.length;
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(upstreams.requests.length).toBeGreaterThan(before);
    expect(exchange.trail.map(({ kind }) => kind)).not.toContain('skipped');
  });
});
