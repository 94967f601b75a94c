import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../plugins/builtin.ts';
import type { Hooks } from '../../plugins/sdk/hooks.ts';
import { headerValue, type UpstreamRequest } from '../../plugins/sdk/http.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin.ts';
import { defineProvider } from '../../plugins/sdk/provider.ts';
import { createCancellation } from '../../plugins/testing/cancellation.ts';
import { receiveBody } from '../../plugins/testing/received-body.ts';
import { createVirtualClock } from '../../plugins/testing/virtual-clock.ts';
import { createRuntime } from '../../runtime/gateway.ts';
import { createMemoryBreakers } from '../../runtime/memory/memory-breakers.ts';
import { seededChance } from '../../runtime/memory/seeded-chance.ts';
import { gatewayError } from '../../schema/errors.ts';
import type { RoutingPlan } from '../../schema/plan.ts';
import { jsonOf, runConfig } from '../support/run-config.ts';
import { sampleExchange } from '../support/sample-exchange.ts';
import { samplePlan } from '../support/sample-plan.ts';
import { createStubUpstreams, StubBody, stubAnswer } from '../support/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const question = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const answering = { upstream: () => stubAnswer({ ok: true }) };
const tapping = (apply: (hooks: Hooks) => void): readonly Plugin[] => [definePlugin({ name: 'test', apply })];

const runtimeOf = (plugins: readonly Plugin[], options = {}) => {
  const clock = createVirtualClock();
  const upstreams = createStubUpstreams(() => stubAnswer({}));
  const ports = { clock, chance: seededChance, breakers: createMemoryBreakers({ clock }), upstreams };
  return createRuntime({ plugins, options, ports });
};

describe('joining plugins', () => {
  it('gives each its options', () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({ name: 'a', apply: (_hooks, options) => void seen.push(options) });
    runtimeOf([plugin], { a: { size: 1 } });
    runtimeOf([plugin]);
    expect(seen).toEqual([{ size: 1 }, {}]);
  });

  it('refuses two that provide the same name, and one made for another API', () => {
    expect(() => runtimeOf([...builtinPlugins, ...builtinPlugins])).toThrow(/Two plugins provide the/);
    const later = { name: 'later', api: 2 } as unknown as Plugin;
    expect(() => runtimeOf([later])).toThrow('The plugin "later" is made for API 2; this is API 1.');
  });

  it('seals the hooks: a tap that comes later would never be seen', () => {
    const { hooks } = runtimeOf(builtinPlugins);
    expect(() => hooks.request.tap('late', (exchange) => exchange)).toThrow('The hook "request" is sealed');
    expect(() => hooks.provider.for('openai').tap('late', () => undefined as never)).toThrow('provider.for("openai")');
    expect(() => hooks.check.for('new').tap('late', () => undefined as never)).toThrow('check.for("new")');
    expect(() => hooks.completed.intercept({})).toThrow('sealed');
  });
});

describe('linking', () => {
  it('names everything that is missing', () => {
    const plan = samplePlan();
    const needy: RoutingPlan = {
      ...plan,
      requires: {
        ...plan.requires,
        features: ['retry', 'time-travel'],
        plugins: { providers: ['openai', 'nowhere'], checks: ['acme.check'], caches: ['simple'] },
        secrets: ['${env:A}', '${env:B}'],
      },
    };
    const { link } = runtimeOf(builtinPlugins);
    const secrets = (ref: string) => (ref === '${env:A}' ? 'a' : undefined);
    let problems: unknown;
    try {
      link({ plan: needy, secrets });
    } catch (error) {
      problems = error;
    }
    expect(problems).toMatchObject({
      name: 'LinkError',
      problems: [
        'The feature "time-travel" is not known here.',
        'No plugin provides the provider "nowhere".',
        'No plugin has the check "acme.check".',
        'No plugin has a cache of the mode "simple".',
        'The secret ${env:B} is missing.',
      ],
    });
  });

  it('refuses a format it does not know, whatever else it says', () => {
    const plan = { ...samplePlan(), format: 2, requires: undefined } as unknown as RoutingPlan;
    expect(() => runtimeOf(builtinPlugins).link({ plan, secrets: () => 'x' })).toThrow(
      'It has format 2, and this gateway runs format 1.',
    );
  });

  it("opens an operator's hosts once, and those that callers bring each time they are called", async () => {
    const own = runConfig({ ...openai, custom_host: 'https://own.example/v1' }, answering);
    await own.handle(sampleExchange(question));
    await own.handle(sampleExchange(question));
    expect(own.upstreams.opened).toEqual([{ origin: 'https://own.example', operatorHost: true }]);
    const config = { provider: 'openai', api_key: 'sk-literal', custom_host: 'https://theirs.example/v1' };
    const theirs = runConfig(config, { ...answering, trust: 'caller' });
    for (const _ of [1, 2]) await theirs.handle(sampleExchange(question, { secrets: theirs.secrets }));
    expect(theirs.upstreams.opened).toEqual([
      { origin: 'https://theirs.example', operatorHost: false },
      { origin: 'https://theirs.example', operatorHost: false },
    ]);
  });
});

describe('a request on its way', () => {
  it('is refused at the door before its plan is looked up', async () => {
    const closed = {
      status: 403,
      headers: [],
      origin: 'gateway',
      body: { kind: 'bytes', bytes: Buffer.from('{}') },
    } as const;
    const { gateway } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.beforeRoute.tap('door', () => closed)),
    });
    const plan = () => {
      throw new Error('Nobody may look.');
    };
    expect(await gateway.handle(sampleExchange(question), plan)).toBe(closed);
  });

  it('may be changed, and so may its answer', async () => {
    const { handle, upstreams } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => {
        hooks.request.tap('a', (exchange) => ({
          ...exchange,
          request: { ...exchange.request, body: { kind: 'bytes', bytes: Buffer.from('changed') } },
        }));
        hooks.response.tap('b', (response) => ({ ...response, status: 202 }));
      }),
    });
    expect((await handle(sampleExchange(question))).status).toBe(202);
    expect(upstreams.requests[0]?.body).toEqual({ kind: 'bytes', bytes: Buffer.from('changed') });
  });

  it('finds its plan by a function, which may be asynchronous', async () => {
    const { gateway, linked } = runConfig(openai, answering);
    expect((await gateway.handle(sampleExchange(question), () => linked)).status).toBe(200);
    expect((await gateway.handle(sampleExchange(question), async () => linked)).status).toBe(200);
  });

  it.each(['chat', 'messages', undefined])('has errors told in its dialect (%s)', async (dialect) => {
    const failures: Error[] = [];
    const { gateway } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.failed.tap('t', (error) => void failures.push(error))),
    });
    const route =
      dialect === undefined ? ({ operation: 'opaque' } as const) : ({ operation: 'converse', dialect } as const);
    const response = await gateway.handle(sampleExchange({}, { route }), () => {
      throw gatewayError('unknown-config', { name: 'x' });
    });
    expect(response).toMatchObject({ status: 404, origin: 'gateway', cause: 'unknown-config' });
    expect(jsonOf(response)).toMatchObject(
      dialect === 'messages'
        ? { type: 'error', error: { type: 'not_found_error' } }
        : { error: { type: 'not_found_error' } },
    );
    expect(failures).toMatchObject([{ report: { code: 'unknown-config' } }]);
  });

  it('that meets a bug is answered 500 and told no more', async () => {
    const { gateway } = runConfig(openai, answering);
    const response = await gateway.handle(sampleExchange(question), () => {
      throw new Error('secret stack');
    });
    expect(response).toMatchObject({ status: 500, cause: 'internal-error' });
    expect(JSON.stringify(jsonOf(response))).not.toContain('secret');
  });

  it('is told to those who look when its answer ends', async () => {
    const ends: string[] = [];
    const plugins = tapping((hooks) =>
      hooks.completed.tap('t', ({ status }, _exchange, end) => void ends.push(`${status} ${end}`)),
    );
    const { handle } = runConfig(openai, { ...answering, plugins });
    await handle(sampleExchange(question));
    const passed = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    expect(ends).toEqual(['200 complete']);
    await receiveBody(passed.body);
    const { cancellation, cancel } = createCancellation();
    cancel();
    await handle(sampleExchange(question, { cancellation }));
    expect(ends).toEqual(['200 complete', '200 complete', '499 left']);
  });

  it('tells of its attempts, retries, fallbacks and circuits', async () => {
    const told: string[] = [];
    const plugins = tapping((hooks) => {
      for (const name of ['attempted', 'retried', 'fellBack', 'circuitChanged'] as const)
        hooks[name].tap('t', (event: { readonly kind: string }) => void told.push(event.kind));
    });
    const target = {
      ...openai,
      retry: { attempts: 1 },
      cb_config: { failure_threshold: 1, cooldown_interval: 30_000 },
    };
    const { handle } = runConfig(
      { strategy: { mode: 'fallback' }, targets: [target, openai] },
      { upstream: () => stubAnswer({}, { status: 503 }), plugins },
    );
    const exchange = sampleExchange(question);
    await handle(exchange);
    expect(told).toEqual(exchange.trail.map(({ kind }) => kind));
    expect(new Set(told)).toEqual(new Set(['attempted', 'retried', 'fellBack', 'circuitChanged']));
  });

  it('goes on where those who look fail, and that is told', async () => {
    const failures: string[] = [];
    const boom = () => {
      throw new Error('boom');
    };
    const { handle } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => {
        hooks.attempted.tap('t', boom);
        hooks.completed.tap('t', boom);
        hooks.failed.tap('t', ({ message }) => {
          failures.push(message);
          throw new Error('again');
        });
      }),
    });
    expect((await handle(sampleExchange(question))).status).toBe(200);
    expect(failures).toEqual(['boom', 'boom']);
  });

  it('lets go of an answer that a plugin failed to change', async () => {
    const body = new StubBody('x');
    const plugins = tapping((hooks) =>
      hooks.response.tap('t', () => {
        throw new Error('boom');
      }),
    );
    const { handle, clock } = runConfig(openai, {
      upstream: () => ({ kind: 'answer', status: 200, headers: [], body }),
      plugins,
    });
    const response = await handle(sampleExchange({}, { route: { operation: 'opaque' } }));
    expect(response.status).toBe(500);
    expect(body.discarded).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('closes what plugins hold, and the connections', async () => {
    const closed: string[] = [];
    const { gateway, upstreams } = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) => hooks.close.tap('t', () => void closed.push('plugin'))),
    });
    upstreams.close = async () => void closed.push('upstreams');
    await gateway.close();
    expect(closed).toEqual(['plugin', 'upstreams']);
  });
});

describe('an attempt that plugins have a say in', () => {
  const signed = (authorize: (request: UpstreamRequest) => Promise<UpstreamRequest>): readonly Plugin[] => [
    definePlugin({
      name: 'signed',
      providers: [
        defineProvider({
          id: 'signed',
          documentation: 'here',
          baseUrl: 'https://signed.example',
          credential: 'none',
          speaks: { chat: '/chat' },
          headers: () => [],
          authorize,
        }),
      ],
    }),
  ];

  it('is signed last, on each attempt', async () => {
    let count = 0;
    const authorize = async (request: UpstreamRequest) => {
      count += 1;
      return {
        ...request,
        headers: [...request.headers, 'signature', `${count}:${headerValue(request.headers, 'tapped')}`],
      };
    };
    const plugins = [
      ...signed(authorize),
      ...tapping((hooks) =>
        hooks.providerRequest.tap('t', (request) => ({ ...request, headers: [...request.headers, 'tapped', 'yes'] })),
      ),
    ];
    const { handle, upstreams } = runConfig(
      { provider: 'signed', retry: { attempts: 1 } },
      { upstream: () => stubAnswer({}, { status: 500 }), plugins },
    );
    await handle(sampleExchange(question));
    expect(upstreams.requests.map(({ headers }) => headerValue(headers, 'signature'))).toEqual(['1:yes', '2:yes']);
  });

  it('whose signing takes too long has run out of its time, and sends nothing', async () => {
    const { handle, clock, upstreams } = runConfig(
      { provider: 'signed', request_timeout: 30 },
      { ...answering, plugins: signed(() => new Promise(() => {})) },
    );
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408, origin: 'timeout' });
    expect(clock.monotonic()).toBe(30);
    expect(upstreams.requests).toEqual([]);
  });

  it('whose signing fails ends the request, and the plugin is named', async () => {
    const { handle, clock } = runConfig(
      { provider: 'signed' },
      { ...answering, plugins: signed(() => Promise.reject(new Error('no clock'))) },
    );
    const response = await handle(sampleExchange(question));
    expect(response).toMatchObject({ status: 500, cause: 'plugin-failed' });
    expect(clock.pending).toBe(0);
  });

  it('may have its answer changed, and lets go of it where that takes too long', async () => {
    const changing = runConfig(openai, {
      ...answering,
      plugins: tapping((hooks) =>
        hooks.providerResponse.tap('t', (answer) => (answer.kind === 'answer' ? { ...answer, status: 203 } : answer)),
      ),
    });
    expect((await changing.handle(sampleExchange(question))).status).toBe(203);
    const body = new StubBody('{}');
    const slow = runConfig(
      { ...openai, request_timeout: 9 },
      {
        upstream: () => ({ kind: 'answer', status: 200, headers: [], body }),
        plugins: tapping((hooks) => hooks.providerResponse.tapPromise('t', () => new Promise(() => {}))),
      },
    );
    expect(await slow.handle(sampleExchange(question))).toMatchObject({ status: 408 });
    expect(body.discarded).toBe(true);
  });

  it('may have its stream staged', async () => {
    const event = 'data: {"id":"a","choices":[{"index":0,"delta":{"content":"quiet"},"finish_reason":"stop"}]}\n\n';
    const { handle } = runConfig(openai, {
      upstream: () => stubAnswer(`${event}data: [DONE]\n\n`, { headers: ['content-type', 'text/event-stream'] }),
      plugins: tapping((hooks) =>
        hooks.stream.tap('t', (stages) => {
          stages.push({
            holds: 'none',
            create: () => ({
              part: (frame, emit) => emit({ ...frame, data: frame.data.replace('quiet', 'LOUD') }),
              end: () => {},
            }),
          });
        }),
      ),
    });
    const response = await handle(sampleExchange({ ...question, stream: true }));
    expect((await receiveBody(response.body)).bytes.toString()).toContain('LOUD');
  });

  it('lets go of its answer where a plugin fails at it', async () => {
    const bodies: StubBody[] = [];
    const upstream = () => {
      const body = new StubBody('');
      bodies.push(body);
      return { kind: 'answer', status: 200, headers: ['content-type', 'text/event-stream'], body } as const;
    };
    const boom = (): never => {
      throw new Error('boom');
    };
    const answers = tapping((hooks) => hooks.providerResponse.tap('t', boom));
    const stages = tapping((hooks) => hooks.stream.tap('t', (list) => void list.push({ holds: 'none', create: boom })));
    for (const plugins of [answers, stages]) {
      const { handle, clock } = runConfig(openai, { upstream, plugins });
      expect((await handle(sampleExchange(question))).status).toBe(500);
      expect(clock.pending).toBe(0);
    }
    expect(bodies.map(({ discarded }) => discarded)).toEqual([true, true]);
  });

  it('that hangs in a provider in process runs out of its time too, and a late answer is let go', async () => {
    const late = new StubBody('late');
    let answerLate = (): void => {};
    const plugin = definePlugin({
      name: 'own',
      providers: [
        defineProvider({
          id: 'own',
          documentation: 'here',
          credential: 'none',
          speaks: { chat: '' },
          headers: () => [],
          inProcess: () => ({
            send: () =>
              new Promise((settle) => {
                answerLate = () => settle({ kind: 'answer', status: 200, headers: [], body: late });
              }),
          }),
        }),
      ],
    });
    const { handle, upstreams } = runConfig(
      { provider: 'own', request_timeout: 12 },
      { ...answering, plugins: [plugin] },
    );
    expect(await handle(sampleExchange(question))).toMatchObject({ status: 408 });
    expect(upstreams.opened).toEqual([]);
    answerLate();
    await Promise.resolve();
    await Promise.resolve();
    expect(late.discarded).toBe(true);
  });
});
