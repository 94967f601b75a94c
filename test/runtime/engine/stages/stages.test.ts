import { describe, expect, it } from 'vitest';
import { definePlugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { createCancellation } from '../../../../plugins/testkit/route/cancellation.ts';
import { RequestFacts } from '../../../../runtime/http/exchange/request-facts.ts';
import { readJsonBytes } from '../../../../runtime/json-bodies/read/read-json-bytes.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange, toTenant } from '../../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, type StubHandler, stubAnswer } from '../../../support/in-process/stub-upstreams.ts';

const openai: JsonObject = { provider: 'openai', api_key: '${env:KEY}' };
const other: JsonObject = { provider: 'groq', api_key: '${env:OTHER}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const breaker: JsonObject = { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } };
const status =
  (code: number, headers: readonly string[] = []): StubHandler =>
  () =>
    stubAnswer({}, { status: code, headers });
/** One answer after the other. The last one is repeated. */
const inTurn = (...statuses: readonly number[]): StubHandler => {
  const left = [...statuses];
  return () => stubAnswer({}, { status: left.length > 1 ? (left.shift() ?? 200) : (left[0] ?? 200) });
};
const kinds = (trail: readonly TrailEvent[]): readonly string[] => trail.map(({ kind }) => kind);

describe('retry', () => {
  it('sends at most the specified number of retries, and reports that they are used up', async () => {
    const { handle, upstreams } = runConfig({ ...openai, retry: { attempts: 2 } }, { upstream: status(503) });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 503, leaf: { retries: -1 } });
    expect(upstreams.requests).toHaveLength(3);
  });

  it('sends the same bytes each time', async () => {
    const { handle, upstreams } = runConfig(
      { ...openai, retry: { attempts: 1 }, override_params: { top_p: 1 } },
      { upstream: status(503) },
    );
    await handle(sampleExchange(question));
    expect(upstreams.requests[1]).toBe(upstreams.requests[0]);
  });

  it('ends with an answer whose status is not listed, and reports the number of retries', async () => {
    const { handle } = runConfig({ ...openai, retry: { attempts: 3 } }, { upstream: inTurn(500, 429, 404) });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 404, leaf: { retries: 2 } });
  });

  it('waits between half and the whole of one, two and four seconds', async () => {
    const { handle, clock } = runConfig({ ...openai, retry: { attempts: 3 } }, { upstream: status(503) });
    const exchange = sampleExchange(question, { seed: 7 });
    await handle(exchange);
    const waits = exchange.trail.flatMap((event) => (event.kind === 'retried' ? [event.waitMs] : []));
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(1000 * 2 ** index);
    }
    expect(clock.monotonic()).toBeCloseTo(waits.reduce((sum, wait) => sum + wait, 0));
  });

  it('waits as long as the provider asks, up to a minute in total', async () => {
    const config = { ...openai, retry: { attempts: 5, use_retry_after_headers: true } };
    const polite = runConfig(config, { upstream: status(429, ['Retry-After', '25']) });
    expect(await polite.handle(sampleExchange(question))).toMatchObject({ status: 429, leaf: { retries: -1 } });
    expect(polite.upstreams.requests).toHaveLength(3);
    expect(polite.clock.monotonic()).toBe(50_000);
  });

  it('waits a whole minute but no longer', async () => {
    const config = { ...openai, retry: { attempts: 1, use_retry_after_headers: true } };
    const minute = runConfig(config, { upstream: status(429, ['Retry-After', '60']) });
    await minute.handle(sampleExchange(question));
    expect(minute.upstreams.requests).toHaveLength(2);
    const more = runConfig(config, { upstream: status(429, ['Retry-After', '60.001']) });
    await more.handle(sampleExchange(question));
    expect(more.upstreams.requests).toHaveLength(1);
  });

  it('does not retry a 408 of the gateway unless it is listed', async () => {
    const plain = runConfig({ ...openai, request_timeout: 10, retry: { attempts: 1 } }, { upstream: hanging });
    await plain.handle(sampleExchange(question));
    expect(plain.upstreams.requests).toHaveLength(1);
    const listed = { attempts: 1, on_status_codes: [408] };
    const asked = runConfig({ ...openai, request_timeout: 10, retry: listed }, { upstream: hanging });
    await asked.handle(sampleExchange(question));
    expect(asked.upstreams.requests).toHaveLength(2);
  });

  it('stops waiting when the client disconnects', async () => {
    const { cancellation, cancel } = createCancellation();
    const { gateway, linked, clock, upstreams } = runConfig(
      { ...openai, retry: { attempts: 1 } },
      { upstream: status(503) },
    );
    clock.after(1, cancel);
    const response = await clock.settle(gateway.handle(sampleExchange(question, { cancellation }), linked));
    expect(response).toMatchObject({ status: 499, origin: 'gateway' });
    expect(clock.monotonic()).toBe(1);
    expect(clock.pending).toBe(0);
    expect(upstreams.requests).toHaveLength(1);
  });

  it('releases the answers that it does not return', async () => {
    const bodies: StubBody[] = [];
    const { handle } = runConfig(
      { ...openai, retry: { attempts: 1 } },
      {
        upstream: () => {
          bodies.push(new StubBody('down'));
          return { kind: 'answer', status: 503, headers: [], body: bodies.at(-1) ?? new StubBody('') };
        },
      },
    );
    await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    expect(bodies.map(({ discarded }) => discarded)).toEqual([true, false]);
  });
});

describe('a breaker', () => {
  const group = { strategy: { mode: 'fallback' }, targets: [{ ...openai, ...breaker }, other] };
  const downThere: StubHandler = ({ origin }) =>
    stubAnswer({}, { status: origin === 'https://api.openai.com' ? 503 : 200 });

  it('is skipped by its group while it is open, and probed after the cooldown', async () => {
    const { handle, clock } = runConfig(group, { upstream: downThere });
    const trails = [];
    for (const wait of [0, 29_999, 1]) {
      clock.advance(wait);
      const exchange = sampleExchange(question);
      await handle(exchange);
      trails.push(kinds(exchange.trail));
    }
    expect(trails).toEqual([
      ['attempted', 'circuitChanged', 'fellBack', 'attempted'],
      ['skipped', 'attempted'],
      ['circuitChanged', 'attempted', 'circuitChanged', 'fellBack', 'attempted'],
    ]);
  });

  it('refuses nothing if no other branch remains', async () => {
    const alone = {
      strategy: { mode: 'loadbalance' },
      targets: [
        { ...openai, ...breaker },
        { ...openai, weight: 0 },
      ],
    };
    const { handle, upstreams } = runConfig(alone, { upstream: status(503) });
    for (const _ of [1, 2, 3]) await handle(sampleExchange(question));
    expect(upstreams.requests).toHaveLength(3);
  });

  it('keeps the circuits of tenants separate', async () => {
    const { handle } = runConfig(group, { upstream: downThere });
    await handle(sampleExchange(question));
    const exchange = sampleExchange(question, { principal: { tenant: toTenant('other') } });
    await handle(exchange);
    expect(kinds(exchange.trail)).not.toContain('skipped');
  });

  it('frees its probe when the client disconnects', async () => {
    const { cancellation, cancel } = createCancellation();
    let calls = 0;
    const { gateway, linked, clock, handle } = runConfig(group, {
      upstream: (request, scope) => {
        calls += 1;
        if (calls === 1) return stubAnswer({}, { status: 503 });
        return request.origin === 'https://api.openai.com' ? hanging(request, scope) : stubAnswer({});
      },
    });
    await handle(sampleExchange(question));
    clock.advance(30_000);
    const probing = gateway.handle(sampleExchange(question, { cancellation }), linked);
    cancel();
    await clock.settle(probing);
    const exchange = sampleExchange(question, { overrides: { timeoutMs: 10 } });
    await handle(exchange);
    expect(kinds(exchange.trail)).not.toContain('skipped');
  });

  it.each([
    ['a repeated member', '{"model":"m","messages":[],"messages":[{"role":"user","content":"hi"}]}'],
    ['invalid JSON', '{"model":'],
  ])('frees its probe if a body with %s is refused before its checks', async (_, body) => {
    const checked = [{ 'default.wordCount': { maxWords: 100 }, deny: true }];
    const [first] = group.targets;
    const config = { ...group, targets: [{ ...first, input_guardrails: checked }, other] };
    const { handle, clock } = runConfig(config, { upstream: downThere });
    await handle(sampleExchange(question));
    clock.advance(30_000);
    const { request } = sampleExchange();
    const sent = { ...request, body: { kind: 'bytes', bytes: Buffer.from(body) } } as const;
    const refused = sampleExchange({}, { request: sent, json: () => readJsonBytes(sent.body.bytes) as JsonObject });
    expect(await handle(refused)).toMatchObject({ status: 400 });
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(kinds(exchange.trail)).not.toContain('skipped');
  });

  it('frees its probe if the run ends in an error', async () => {
    let broken = false;
    const plugin = definePlugin({
      name: 'boom',
      apply: (hooks) =>
        hooks.admit.tapAsync('boom', (_leaf, _exchange, done) => (broken ? done(new Error('boom')) : done())),
    });
    const { handle, clock } = runConfig(group, { upstream: downThere, plugins: [plugin] });
    await handle(sampleExchange(question));
    clock.advance(30_000);
    broken = true;
    await handle(sampleExchange(question));
    broken = false;
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(kinds(exchange.trail)).not.toContain('skipped');
  });

  it('leaves no timer after a run that ended in an internal error', async () => {
    const plugin = definePlugin({
      name: 'boom',
      apply: (hooks) =>
        hooks.admit.tapPromise('boom', async () => {
          throw new Error('boom');
        }),
    });
    const { handle, clock } = runConfig(group, { upstream: downThere, plugins: [plugin] });
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 500, cause: 'internal-error' });
    expect(clock.pending).toBe(0);
  });

  it('counts a passed-through failure at its head, and sends the request to no other provider', async () => {
    const { handle } = runConfig(group, { upstream: downThere });
    const exchange = sampleExchange({}, { route: { operation: 'opaque' } });
    await handle(exchange);
    expect(kinds(exchange.trail)).toEqual(['attempted', 'circuitChanged']);
  });
});

describe('limits', () => {
  it('can answer for a leaf before it is tried, and count for no circuit', async () => {
    const limited = {
      status: 429,
      headers: [],
      origin: 'limit',
      body: { kind: 'bytes', bytes: Buffer.alloc(0) },
    } as const;
    const plugin = definePlugin({
      name: 'limits',
      apply: (hooks) =>
        hooks.admit.tapAsync('limits', ({ path }, _exchange, done) =>
          path === '/targets/0' ? done(null, limited) : done(),
        ),
    });
    const config = {
      strategy: { mode: 'fallback' },
      targets: [
        {
          ...openai,
          ...breaker,
          cb_config: { failure_threshold: 1, cooldown_interval: 30_000, failure_status_codes: [429] },
        },
        other,
      ],
    };
    const { handle, upstreams } = runConfig(config, { upstream: status(200), plugins: [plugin] });
    const exchange = sampleExchange(question);
    expect(await handle(exchange)).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(kinds(exchange.trail)).toEqual(['fellBack', 'attempted']);
    expect(upstreams.requests).toHaveLength(1);
  });

  it('are checked after the input checks, and not at all if those deny', async () => {
    const admitted: string[] = [];
    const plugin = definePlugin({
      name: 'limits',
      apply: (hooks) =>
        hooks.admit.tap('limits', ({ path }) => {
          admitted.push(path);
        }),
    });
    const denying = [{ 'default.contains': { words: ['hi'], operator: 'none' }, deny: true }];
    const config = { strategy: { mode: 'fallback' }, targets: [{ ...openai, input_guardrails: denying }, other] };
    const { handle } = runConfig(config, { upstream: status(200), plugins: [plugin] });
    const exchange = sampleExchange(question);
    expect(await handle(exchange)).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(kinds(exchange.trail)).toEqual(['checked', 'fellBack', 'attempted']);
    expect(admitted).toEqual(['/targets/1']);
  });
});

describe('strategies', () => {
  it('choose a branch by the parameters of the body if they are conditional', async () => {
    const config = {
      strategy: { mode: 'conditional', conditions: [{ query: { 'params.model': 'm' }, then: 'a' }], default: 'b' },
      targets: [
        { ...openai, name: 'a' },
        { ...other, name: 'b' },
      ],
    };
    const { handle } = runConfig(config, { upstream: status(200) });
    expect((await handle(sampleExchange(question))).leaf?.path).toBe('/targets/0');
    expect((await handle(sampleExchange({ model: 'x' }))).leaf?.path).toBe('/targets/1');
  });

  it('refuse a body that cannot be read if they choose by its parameters, but not if by metadata', async () => {
    const { request, route, principal } = sampleExchange();
    const bytes = Buffer.from('{"model":');
    const broken = {
      ...{ route, principal },
      request: { ...request, body: { kind: 'bytes', bytes } },
      json: () => readJsonBytes(bytes) as JsonObject,
    } as const;
    const facts = new RequestFacts({ ...broken, caller: { metadata: { m: 'm' } }, url: '/v1/chat/completions' });
    const answers = [];
    for (const fact of ['params.model', 'metadata.m']) {
      const config = {
        strategy: { mode: 'conditional', conditions: [{ query: { [fact]: 'm' }, then: 'a' }], default: 'b' },
        targets: [
          { ...openai, name: 'a' },
          { ...other, name: 'b' },
        ],
      };
      const { handle, upstreams } = runConfig(config, { upstream: status(200) });
      const answer = await handle(sampleExchange({}, { ...broken, facts }));
      answers.push([answer.status, answer.cause, upstreams.requests.length]);
    }
    expect(answers).toEqual([
      [400, 'malformed-body', 0],
      [200, undefined, 1],
    ]);
  });

  it('draw a branch only by the seed of the request if they balance the load', async () => {
    const config = { strategy: { mode: 'loadbalance' }, targets: [openai, other] };
    const { handle } = runConfig(config, { upstream: status(200) });
    const readPath = async (seed: number) => (await handle(sampleExchange(question, { seed }))).leaf?.path;
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const first = await Promise.all(seeds.map(readPath));
    expect(await Promise.all(seeds.map(readPath))).toEqual(first);
    expect(new Set(first)).toEqual(new Set(['/targets/0', '/targets/1']));
  });
});
