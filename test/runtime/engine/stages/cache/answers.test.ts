import { describe, expect, it } from 'vitest';
import { defineCache } from '../../../../../plugins/sdk/cache/cache.ts';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail, fail, pass } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin, type Plugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type RunningConfig, runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}', cache: { mode: 'simple', max_age: 60 } };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const asking = (given: Partial<Exchange> = {}, params: JsonObject = question): Exchange =>
  sampleExchange(params, { ...given, trail: [] });

/** Counts its calls in its answers, so that an answer shows which call produced it. */
const counting = (more: { readonly status?: number } = {}): StubHandler => {
  let calls = 0;
  return () => {
    calls += 1;
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
    const headers = ['content-type', 'application/json', 'x-request-id', `r${calls}`];
    return stubAnswer({ id: `call ${calls}`, object: 'chat.completion', model: 'm', choices }, { ...more, headers });
  };
};

const verdicts = (id: string, isPass: () => boolean): Plugin =>
  definePlugin({
    name: id,
    guardrails: [
      defineGuardrail({
        id,
        parameters: { type: 'object', properties: {} },
        create: () => () => (isPass() ? pass() : fail('no')),
      }),
    ],
  });

const readId = async ({ handle }: RunningConfig, exchange: Exchange): Promise<readonly unknown[]> => {
  const response = await handle(exchange);
  return [response.status, (toJson(response) as JsonObject | undefined)?.id, response.leaf?.cache];
};

describe('an answer that is cached', () => {
  it('answers the same request without a call, and is reported as a hit', async () => {
    const running = runConfig(openai, { upstream: counting() });
    const first = asking();
    const second = asking();
    expect(await readId(running, first)).toEqual([200, 'call 1', 'MISS']);
    running.clock.advance(5000);
    const hit = await running.handle(second);
    expect(hit).toMatchObject({
      status: 200,
      origin: 'cache',
      headers: ['content-type', 'application/json', 'age', '5'],
      leaf: { path: '', provider: 'openai', retries: 0, cache: 'HIT' },
    });
    expect(toJson(hit)).toMatchObject({ id: 'call 1' });
    expect(first.trail.map(({ kind }) => kind)).toEqual(['attempted']);
    expect(second.trail).toEqual([{ kind: 'cached', path: '', status: 'HIT', ageS: 5 }]);
    expect(running.upstreams.requests).toHaveLength(1);
  });

  it('is used until it reaches the maximum age of the config, in seconds', async () => {
    const running = runConfig(openai, { upstream: counting() });
    await running.handle(asking());
    running.clock.advance(59_999);
    expect(await readId(running, asking())).toEqual([200, 'call 1', 'HIT']);
    running.clock.advance(1);
    expect(await readId(running, asking())).toEqual([200, 'call 2', 'MISS']);
  });

  it.each([
    ['of the organisation if that is shorter', { mode: 'simple', max_age: 60 }, 20, 20],
    ['of the config if that of the organisation is longer', { mode: 'simple', max_age: 60 }, 100, 60],
    ['of the organisation if the config has none', { mode: 'simple' }, 1_000_000, 1_000_000],
    ['of seven days if neither has one', { mode: 'simple' }, undefined, 604_800],
    [
      'of seven days if the config specifies that and the organisation a longer one',
      { mode: 'simple', max_age: 604_800 },
      1_000_000,
      604_800,
    ],
  ])('is used for the maximum age %s', async (_, cache, cacheMaxAgeS, seconds) => {
    const running = runConfig({ ...openai, cache }, { upstream: counting() });
    const defaults = cacheMaxAgeS === undefined ? {} : { cacheMaxAgeS };
    const ofOrganisation = (): Exchange => asking({ principal: { tenant: toTenant('tenant'), defaults } });
    await running.handle(ofOrganisation());
    running.clock.advance(seconds * 1000 - 1);
    expect(await readId(running, ofOrganisation())).toEqual([200, 'call 1', 'HIT']);
    running.clock.advance(1);
    expect(await readId(running, ofOrganisation())).toEqual([200, 'call 2', 'MISS']);
  });

  it('is stored no longer than it may be used', async () => {
    const kept: number[] = [];
    const recording = defineCache({
      mode: 'simple',
      create: () => ({
        read: () => ({ kind: 'miss' }),
        write: async (_key, _entry, ttlS) => void kept.push(ttlS),
        close: async () => {},
      }),
    });
    const running = runConfig(openai, { upstream: counting(), caches: [recording] });
    for (const cacheMaxAgeS of [20, 100])
      await running.handle(asking({ principal: { tenant: toTenant('tenant'), defaults: { cacheMaxAgeS } } }));
    await running.clock.settle(Promise.resolve());
    expect(kept).toEqual([20, 60]);
  });

  it('is replaced by a forced refresh', async () => {
    const running = runConfig(openai, { upstream: counting() });
    await running.handle(asking());
    expect(await readId(running, asking({ overrides: { cacheRefresh: true } }))).toEqual([200, 'call 2', 'REFRESH']);
    expect(await readId(running, asking({ overrides: { cacheRefresh: false } }))).toEqual([200, 'call 2', 'HIT']);
  });

  it('is neither used nor stored if the caller wants nothing to be kept', async () => {
    const running = runConfig(openai, { upstream: counting() });
    expect(await readId(running, asking({ overrides: { debug: false } }))).toEqual([200, 'call 1', 'DISABLED']);
    expect(await readId(running, asking())).toEqual([200, 'call 2', 'MISS']);
    expect(await readId(running, asking({ overrides: { debug: false } }))).toEqual([200, 'call 3', 'DISABLED']);
  });

  it('belongs to its tenant, and to the metadata or namespace of its caller', async () => {
    const running = runConfig(openai, { upstream: counting() });
    const facts = (metadata: JsonObject) => ({ facts: { ...asking().facts, metadata } });
    const callers: readonly Partial<Exchange>[] = [
      {},
      { principal: { tenant: toTenant('other') } },
      facts({ user: 'a' }),
      facts({ user: 'b' }),
      { overrides: { cacheNamespace: 'n' } },
      { overrides: { cacheNamespace: 'm' } },
    ];
    for (const round of ['MISS', 'HIT'])
      for (const [at, caller] of callers.entries())
        expect(await readId(running, asking(caller))).toEqual([200, `call ${at + 1}`, round]);
    expect(await readId(running, asking({ ...facts({ user: 'c' }), overrides: { cacheNamespace: 'n' } }))).toEqual([
      200,
      'call 5',
      'HIT',
    ]);
  });

  it('costs nothing and records no attempt', async () => {
    const running = runConfig(openai, { upstream: counting(), usage: true });
    await running.handle(asking());
    const second = asking({ overrides: { usage: true } });
    const { headers } = await running.handle(second);
    expect(headers.slice(-4)).toEqual([
      'x-gw-usage',
      '{"kind":"none","model":"m","input":{"total":0},"output":{"total":0}}',
      'x-gw-cost',
      '0',
    ]);
    expect(second.trail.map(({ kind }) => kind)).toEqual(['cached']);
  });
});

describe('an answer that is not cached', () => {
  it.each([201, 400, 429, 500])('has the status %i', async (status) => {
    const running = runConfig(openai, { upstream: counting({ status }) });
    expect(await readId(running, asking())).toEqual([status, status < 300 ? 'call 1' : expect.anything(), 'MISS']);
    await running.handle(asking());
    expect(running.upstreams.requests).toHaveLength(2);
  });

  it('has failed an output check', async () => {
    let isPass = false;
    const config = { ...openai, output_guardrails: [{ 'test.output': {} }] };
    const running = runConfig(config, { upstream: counting(), plugins: [verdicts('test.output', () => isPass)] });
    expect(await readId(running, asking())).toEqual([246, 'call 1', 'MISS']);
    isPass = true;
    expect(await readId(running, asking())).toEqual([200, 'call 2', 'MISS']);
    isPass = false;
    expect(await readId(running, asking())).toEqual([200, 'call 2', 'HIT']);
  });
});

describe('checks beside a cache', () => {
  it('judge each input, and their results are those of the current request', async () => {
    let isPass = true;
    const config = { ...openai, input_guardrails: [{ 'test.input': {} }] };
    const running = runConfig(config, { upstream: counting(), plugins: [verdicts('test.input', () => isPass)] });
    await running.handle(asking());
    isPass = false;
    const hit = await running.handle(asking());
    expect([hit.status, hit.leaf?.cache]).toEqual([246, 'HIT']);
    expect(toJson(hit)).toMatchObject({
      id: 'call 1',
      hook_results: { before_request_hooks: [{ verdict: false }], after_request_hooks: [] },
    });
  });

  it('deny a request before anything is looked up', async () => {
    const config = { ...openai, input_guardrails: [{ 'test.input': {}, deny: true }] };
    const running = runConfig(config, { upstream: counting(), plugins: [verdicts('test.input', () => false)] });
    expect((await running.handle(asking())).leaf?.cache).toBe('DISABLED');
  });

  it('of limits are skipped for a hit', async () => {
    const admitted: string[] = [];
    const limits = definePlugin({
      name: 'limits',
      apply: (hooks) => hooks.admit.tap('limits', ({ path }) => void admitted.push(path)),
    });
    const running = runConfig(openai, { upstream: counting(), plugins: [limits] });
    await running.handle(asking());
    await running.handle(asking());
    expect(admitted).toEqual(['']);
  });
});
