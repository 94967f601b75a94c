import { describe, expect, it } from 'vitest';
import { createCancellation } from '../../../plugins/testkit/route/cancellation.ts';
import { receiveBody } from '../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { runConfig } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { hanging, StubBody, type StubHandler, stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const breaker: JsonObject = { cb_config: { failure_threshold: 1, cooldown_interval: 30_000 } };
/** A target at its own host, by which the stub upstream recognises it. */
const at = (host: string, more: JsonObject = {}): JsonObject => ({
  provider: 'openai',
  api_key: '${env:KEY}',
  custom_host: `https://${host}.example`,
  ...more,
});
const fallback = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'fallback' }, targets });
/** A fallback with its own trigger, so that it is not merged into a fallback around it. */
const innerFallback = (...targets: readonly JsonObject[]): JsonObject => ({
  strategy: { mode: 'fallback', on_status_codes: [500, 503] },
  targets,
});
const balance = (...targets: readonly JsonObject[]): JsonObject => ({ strategy: { mode: 'loadbalance' }, targets });
const always = (target: JsonObject): JsonObject => ({
  strategy: { mode: 'conditional', conditions: [], default: 'only' },
  targets: [{ ...target, name: 'only' }],
});
/** Hosts that are down answer 503, the others 200. */
const down =
  (...hosts: readonly string[]): StubHandler =>
  ({ origin }) =>
    stubAnswer({}, { status: hosts.some((host) => origin.includes(`/${host}.`)) ? 503 : 200 });
const skips = (trail: readonly TrailEvent[]) => trail.filter(({ kind }) => kind === 'skipped');

const secondTrail = async (config: JsonObject, upstream: StubHandler): Promise<readonly TrailEvent[]> => {
  const { handle } = runConfig(config, { upstream });
  await handle(sampleExchange(question));
  const exchange = sampleExchange(question);
  await handle(exchange);
  return exchange.trail;
};

describe('an open circuit', () => {
  it('is skipped by the nearest group', async () => {
    expect(skips(await secondTrail(fallback(at('a', breaker), at('b')), down('a')))).toEqual([
      { kind: 'skipped', path: '', branches: [0] },
    ]);
  });

  it('makes a group of any kind unavailable if each of its branches has one', async () => {
    for (const group of [
      innerFallback(at('a', breaker), at('a', breaker)),
      balance(at('a', breaker), at('a', { ...breaker, weight: 0 })),
    ]) {
      const trail = await secondTrail(fallback(group, at('b')), down('a'));
      expect(skips(trail)).toEqual([{ kind: 'skipped', path: '', branches: [0] }]);
    }
  });

  it('makes a load balance unavailable once every branch that can be drawn has one', async () => {
    const { gateway, plan, clock } = runConfig(
      fallback(balance(at('a', breaker), at('c', breaker), at('d')), at('b')),
      { upstream: down('a', 'c') },
    );
    // The compiler drops branches of weight 0, but a plan from elsewhere may contain them.
    const { root } = plan;
    if (root.kind !== 'fallback') throw new Error('The plan is no fallback.');
    const [group, ...others] = root.branches;
    if (group.kind !== 'loadbalance') throw new Error('The first branch is no load balance.');
    const [first, second, third] = group.branches;
    if (second === undefined || third === undefined) throw new Error('Branches are missing.');
    const drawn = { ...group, branches: [first, second, { ...third, weight: 0 }] } as const;
    const linked = gateway.link({
      plan: { ...plan, root: { ...root, branches: [drawn, ...others] } },
      secrets: () => 'x',
    });
    const skipped = async () => {
      const exchange = sampleExchange(question);
      await clock.settle(gateway.handle(exchange, linked));
      return exchange.trail.flatMap((event) => (event.kind === 'skipped' ? [event.path] : []));
    };
    // Each of the first two requests opens one circuit.
    expect([await skipped(), await skipped(), await skipped()]).toEqual([[], ['/targets/0'], ['']]);
  });

  it('leaves a group available if another of its branches is available', async () => {
    const trail = await secondTrail(fallback(innerFallback(at('a', breaker), at('c')), at('b')), down('a', 'c'));
    expect(skips(trail)).toEqual([{ kind: 'skipped', path: '/targets/0', branches: [0] }]);
  });

  it('makes a conditional that would choose it unavailable', async () => {
    const group = {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'params.model': 'm' }, then: 'x' }],
        default: 'y',
      },
      targets: [at('a', { ...breaker, name: 'x' }), at('b', { name: 'y' })],
    };
    const { handle } = runConfig(fallback(group, at('c')), { upstream: down('a') });
    await handle(sampleExchange(question));
    const same = sampleExchange(question);
    await handle(same);
    expect(skips(same.trail)).toEqual([{ kind: 'skipped', path: '', branches: [0] }]);
    const other = sampleExchange({ ...question, model: 'n' });
    await handle(other);
    expect(skips(other.trail)).toEqual([]);
  });

  it('is no longer drawn by a load balance', async () => {
    const { handle, upstreams } = runConfig(balance(at('a', breaker), at('b')), { upstream: down('a') });
    for (let seed = 0; seed < 60; seed += 1) await handle(sampleExchange(question, { seed }));
    expect(upstreams.requests.filter(({ origin }) => origin.includes('/a.'))).toHaveLength(1);
    expect(upstreams.requests).toHaveLength(60);
  });

  it('keeps the state that was first seen for the whole of a request', async () => {
    // When the outer group looks, a is open. Its cooldown ends while b hangs, but the inner group still skips a.
    const inner = innerFallback(at('a', breaker), at('c'));
    const config = fallback(at('b', { request_timeout: 40_000 }), inner);
    let open = true;
    const { handle } = runConfig(config, {
      upstream: (request, scope) => {
        if (request.origin.includes('/b.') && !open) return hanging(request, scope);
        return stubAnswer({}, { status: request.origin.includes('/c.') ? 200 : 503 });
      },
    });
    await handle(sampleExchange(question));
    open = false;
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(skips(exchange.trail)).toEqual([{ kind: 'skipped', path: '/targets/1', branches: [0] }]);
  });

  it('of a target that cannot serve is not skipped, so that the leaf reports the reason', async () => {
    const unserved = { provider: 'azure-openai', api_key: '${env:KEY}', custom_host: 'https://a.example', ...breaker };
    const { gateway, clock, plan } = runConfig(fallback(unserved, at('b')), { upstream: down() });
    const targets = plan.targets.map((target, index) =>
      index === 0 ? ({ ...target, from: { kind: 'prompt', promptId: 'p' } } as const) : target,
    );
    const prompted = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    const exchange = sampleExchange(question);
    await clock.settle(gateway.handle(exchange, prompted));
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['fellBack', 'attempted']);
  });
});

describe('the circuit of a stream', () => {
  const content = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n';
  const whole = `${content}data: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
  const eventStream = ['content-type', 'text/event-stream'];
  const streamed = { ...question, stream: true };
  const cut = errorReport('connection-lost', { host: 'h', reason: 'reset' });
  const streaming =
    (text: string, error?: typeof cut): StubHandler =>
    () => ({
      kind: 'answer',
      status: 200,
      headers: eventStream,
      body: new StubBody(text, error),
    });
  const readTrail = async (
    upstream: StubHandler,
    use: (response: { readonly body: Parameters<typeof receiveBody>[0] }) => unknown,
    failures: readonly number[] = [503],
  ) => {
    const config = at('a', {
      cb_config: { failure_threshold: 1, cooldown_interval: 30_000, failure_status_codes: failures },
    });
    const { handle } = runConfig(fallback(config, at('b')), { upstream });
    const exchange = sampleExchange(streamed);
    await use(await handle(exchange));
    return exchange.trail.map(({ kind }) => kind);
  };

  it('opens at the end of a stream that breaks, and not before', async () => {
    const trail = await readTrail(streaming(content, cut), ({ body }) => receiveBody(body));
    expect(trail).toEqual(['attempted', 'streamFailed', 'circuitChanged']);
    expect(await readTrail(streaming(content, cut), () => undefined)).toEqual(['attempted']);
  });

  it('stays closed if the stream completes or is discarded', async () => {
    expect(await readTrail(streaming(whole), ({ body }) => receiveBody(body))).toEqual(['attempted']);
    const letGo = ({ body }: { readonly body: object }): void => {
      if ('start' in body && 'discard' in body && typeof body.discard === 'function') body.discard();
    };
    expect(await readTrail(streaming(content, cut), letGo)).toEqual(['attempted']);
  });

  it('is neither closed nor opened by a probe that is discarded', async () => {
    let stream = false;
    const { handle, clock } = runConfig(fallback(at('a', breaker), at('b')), {
      upstream: (request, scope) => (stream ? streaming(content)(request, scope) : stubAnswer({}, { status: 503 })),
    });
    await handle(sampleExchange(question));
    clock.advance(30_000);
    stream = true;
    const exchange = sampleExchange(streamed);
    const { body } = await handle(exchange);
    if (body.kind === 'stream') body.discard();
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['circuitChanged', 'attempted']);
  });

  it('stays with the probe that runs when an earlier one, whose time has passed, is discarded', async () => {
    let stream = false;
    const { handle, clock } = runConfig(fallback(at('a', breaker), at('b')), {
      upstream: (request, scope) => (stream ? streaming(content)(request, scope) : stubAnswer({}, { status: 503 })),
    });
    await handle(sampleExchange(question));
    stream = true;
    const probe = async () => {
      clock.advance(30_000);
      return (await handle(sampleExchange(streamed))).body;
    };
    const expired = await probe();
    const running = await probe();
    for (const [body, chosen] of [
      [expired, 'skipped'],
      [running, 'attempted'],
    ] as const) {
      if (body.kind === 'stream') body.discard();
      const exchange = sampleExchange(question);
      await handle(exchange);
      expect(exchange.trail[0]?.kind).toBe(chosen);
    }
  });

  it('is also judged by the status once the stream has completed', async () => {
    expect(await readTrail(streaming(whole), ({ body }) => receiveBody(body), [200])).toEqual([
      'attempted',
      'circuitChanged',
    ]);
  });
});

describe('a client that disconnected', () => {
  it('causes no fallback', async () => {
    const { cancellation, cancel } = createCancellation();
    const { handle } = runConfig(fallback(at('a'), at('b')), {
      upstream: () => {
        cancel();
        return stubAnswer({}, { status: 503 });
      },
    });
    const exchange = sampleExchange(question, { cancellation });
    await handle(exchange);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'clientLeft']);
  });
});

describe('a full pool', () => {
  it('does not open the circuit of the upstream', async () => {
    const error = errorReport('pool-full', { host: 'a' });
    const { handle } = runConfig(fallback(at('a', breaker), at('b')), {
      upstream: ({ origin }) => (origin.includes('/a.') ? { kind: 'failure', error } : stubAnswer({})),
    });
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(exchange.trail.map(({ kind }) => kind)).toEqual(['attempted', 'fellBack', 'attempted']);
  });
});

// For example a conditional without conditions, which can stand between any two groups and change nothing.
describe('a conditional with one branch', () => {
  it('is as available as that branch', async () => {
    const config = fallback(always(at('a', breaker)), at('b'));
    expect(skips(await secondTrail(config, down('a')))).toEqual([{ kind: 'skipped', path: '', branches: [0] }]);
  });
});
