import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

/** Values that plugins throw, by name; each is worse than the one before. */
const thrown = `{
  error: () => new Error('as it should be'),
  text: () => 'only a text',
  nothing: () => undefined,
  bare: () => Object.create(null),
  mean: () => ({ toString() { throw new Error('mean'); } }),
  getter: () => Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('mean'); } }),
}`;

/** A plugin that misbehaves in every way: the request's metadata or the config says where and how it fails. */
const plugin = `
const thrown = ${thrown};
const kinds = Object.keys(thrown);
const verdicts = {
  nothing: () => undefined, null: () => null, text: () => 'pass', empty: () => ({}), truthy: () => ({ pass: 'yes', data: null }),
  hang: () => new Promise(() => {}), thenable: () => ({ then() {} }), liar: () => ({ get then() { throw new Error('mean'); } }),
  forgets: () => { Promise.reject(new Error('nobody looks')); Promise.reject(Object.create(null)); return { pass: true, data: null }; },
  big: () => ({ pass: false, data: { n: 1n } }), circle: () => { const c = {}; c.c = c; return { pass: false, data: c }; },
};
const check = {
  id: 'bad.check',
  parameters: { type: 'object', properties: { how: { type: 'string' } } },
  create: ({ how }) => () => {
    if (how in verdicts) return verdicts[how]();
    if (how.startsWith('async-')) return Promise.reject(thrown[how.slice(6)]());
    throw thrown[how]();
  },
};
const unmakeable = { id: 'bad.unmakeable', parameters: { type: 'object' }, create: () => { throw Object.create(null); } };
const late = { id: 'bad.late', parameters: { type: 'object' }, create: async () => () => ({ pass: true, data: null }) };
const misbehave = (exchange, hook) => {
  const [at, how] = String(exchange.facts.metadata.fail ?? '').split(' ');
  if (at === hook) throw thrown[how]();
};
const provider = (id, more) => ({
  id, documentation: 'https://example.com', baseUrl: 'https://example.com', credential: 'none',
  speaks: { chat: '/chat/completions' }, headers: () => [], ...more,
});
const fail = () => { throw Object.create(null); };
const inProcess = (send) => ({ inProcess: () => ({ send }) });
const body = (start) => ({ start, discard() {}, collect: async () => { throw Object.create(null); } });
const frame = Buffer.from('data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}\\n\\n');
const choosers = {
  unmakeable: fail, nothing: () => undefined, late: async () => ({ choose: () => 0, heard() {} }), bare: () => ({}),
  throws: () => ({ choose: fail, heard: fail }), rejects: () => ({ choose: async () => fail(), heard: async () => fail() }),
  moves: () => ({ choose: (targets) => { targets[0].index = 99; return 0; }, heard() {} }),
  empties: () => ({ choose: (targets) => { targets.length = 0; return 0; }, heard() {} }),
  fills: () => ({ choose: (targets) => { targets[0] = null; return 0; }, heard() {} }),
};
export default {
  name: 'bad', api: 1,
  choosers: Object.entries(choosers).map(([id, create]) => ({ id: 'bad-' + id, create })),
  guardrails: [check, unmakeable, late],
  providers: [
    provider('bad-headers', { headers: fail }),
    provider('bad-lines', { headers: () => ['a\\nb', 'c\\r\\nd'] }),
    provider('bad-url', { baseUrl: () => fail() }),
    provider('bad-authorize', { authorize: async () => fail() }),
    provider('bad-sync-authorize', { authorize: fail }),
    provider('bad-nothing', { authorize: async () => undefined }),
    provider('bad-path', { speaks: { chat: () => fail() } }),
    provider('bad-pass', { passThrough: fail }),
    provider('bad-send', inProcess(async () => fail())),
    provider('bad-sync-send', inProcess(fail)),
    provider('bad-collect', inProcess(async () => ({ kind: 'answer', status: 200, headers: ['content-type', 'application/json'], body: body(() => {}) }))),
    provider('bad-never', inProcess(async () => ({ kind: 'answer', status: 200, headers: ['content-type', 'application/json'], body: { ...body(() => {}), collect: () => new Promise(() => {}) } }))),
    ...[['bad-cut', (sink) => { sink.write(frame); throw new Error('cut at once'); }], ['bad-late-cut', async (sink) => { sink.write(frame); await undefined; throw new Error('cut late'); }]].map(([id, start]) =>
      provider(id, inProcess(async () => ({ kind: 'answer', status: 200, headers: ['content-type', 'text/event-stream'], body: body(start) })))),
    provider('bad-start', inProcess(async () => ({ kind: 'answer', status: 200, headers: ['content-type', 'text/event-stream'], body: body(fail) }))),
    provider('bad-head', inProcess(async () => ({ kind: 'answer', status: 7, headers: ['a b', 'c\\nd'], body: { ...body(() => {}), collect: async () => Buffer.from('{}') } }))),
  ],
  apply(hooks) {
    hooks.beforeRoute.tap('bad', (exchange) => misbehave(exchange, 'beforeRoute'));
    hooks.request.tap('bad', (exchange) => { misbehave(exchange, 'request'); return exchange; });
    hooks.response.tap('bad', (response, exchange) => { misbehave(exchange, 'response'); return response; });
    hooks.admit.tap('bad', (leaf, exchange) => misbehave(exchange, 'admit'));
    hooks.providerRequest.tap('bad', (request, exchange) => { misbehave(exchange, 'providerRequest'); return request; });
    hooks.providerResponse.tap('bad', (answer, exchange) => { misbehave(exchange, 'providerResponse'); return answer; });
    for (const look of ['attempted', 'retried', 'fellBack', 'circuitChanged'])
      hooks[look].tap('bad', (event, exchange) => misbehave(exchange, look));
    hooks.completed.tap('bad', (response, exchange) => misbehave(exchange, 'completed'));
    hooks.failed.tap('bad', (error, exchange) => misbehave(exchange, 'failed'));
    hooks.stream.tap('bad', (stages) => stages.push({
      reads: ['text'],
      holds: 'none',
      create: (exchange) => {
        misbehave(exchange, 'streamCreate');
        return {
          push: () => { misbehave(exchange, 'streamPart'); return { do: 'release' }; },
          end: () => { misbehave(exchange, 'streamEnd'); return { do: 'release' }; },
        };
      },
    }));
  },
};
`;

const kinds = ['error', 'text', 'nothing', 'bare', 'mean', 'getter'];

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    if (!call.request.text().includes('"stream":true')) return call.json(openaiAnswer({ text: 'hello' }));
    const sse = call.sse();
    for (const frame of openaiStream({ text: 'hello' })) sse.send(frame);
    sse.end();
    return undefined;
  });
  gateway = await startGateway({
    files: {
      'gateway.json': { plugins: [{ package: './bad.js' }] },
      'bad.js': plugin,
      'package.json': { type: 'module' },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const config = (more: object = {}): object => ({
  provider: 'openai',
  api_key: 'k',
  custom_host: `${upstream.origin}/v1`,
  ...more,
});

const ask = async (
  header: object,
  {
    metadata = {},
    stream = false,
    path = '/chat/completions',
  }: { metadata?: object; stream?: boolean; path?: string } = {},
): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify(header),
      'x-gw-metadata': JSON.stringify(metadata),
    },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }),
    signal: AbortSignal.timeout(5000),
  });
  return { status: answer.status, text: await answer.text() };
};

const hook = (how: string, more: object = {}): object => ({
  input_guardrails: [{ 'bad.check': { how, timeout: 100, ...more }, deny: true }],
});

describe('a check', () => {
  const failing = [...kinds, ...kinds.map((kind) => `async-${kind}`)];
  const silly = ['nothing', 'null', 'text', 'empty', 'truthy', 'hang', 'thenable', 'liar'];

  it.each([...failing, ...silly])(
    'that answers with %s fails, and the request passes unless failOnError is set',
    async (how) => {
      expect(await ask(config(hook(how)))).toMatchObject({ status: 200 });
      expect(await ask(config(hook(how, { failOnError: true })))).toMatchObject({ status: 446 });
    },
  );

  it('that leaves a rejected promise unhandled is reported, with no other effect', async () => {
    for (const header of [config(hook('forgets')), config()]) expect(await ask(header)).toMatchObject({ status: 200 });
    await expect.poll(() => gateway.printed()).toContain('nobody looks');
  });

  it.each(['big', 'circle'])('that denies with %s data still denies', async (how) => {
    expect(await ask(config(hook(how)))).toMatchObject({ status: 446 });
  });

  it.each([...failing, ...silly])('that answers with %s in the background has no effect', async (how) => {
    const background = { input_guardrails: [{ 'bad.check': { how, timeout: 20 }, async: true }] };
    expect(await ask(config(background))).toMatchObject({ status: 200 });
  });

  it.each(['bad.unmakeable', 'bad.late'])('that cannot be created causes an error answer: %s', async (id) => {
    const { status, text } = await ask(config({ input_guardrails: [{ [id]: {} }] }));
    expect(status).toBe(500);
    expect(text).toContain('"code":"internal-error"');
  });
});

describe.each(kinds)('a tap that throws %s', (kind) => {
  it.each(['beforeRoute', 'request', 'response', 'admit', 'providerRequest', 'providerResponse', 'streamCreate'])(
    'at %s ends its request with an error answer',
    async (at) => {
      for (const stream of at === 'streamCreate' ? [true] : [false, true]) {
        const { status, text } = await ask(config(), { metadata: { fail: `${at} ${kind}` }, stream });
        expect(status).toBeGreaterThanOrEqual(500);
        expect(text).toContain('"error"');
      }
    },
  );

  it.each(['attempted', 'completed', 'failed', 'retried', 'fellBack'])('at %s has no effect', async (at) => {
    for (const stream of [false, true])
      expect(await ask(config(), { metadata: { fail: `${at} ${kind}` }, stream })).toMatchObject({ status: 200 });
  });

  it.each(['streamPart', 'streamEnd'])('at %s breaks its stream with an error', async (at) => {
    const { text } = await ask(config(), { metadata: { fail: `${at} ${kind}` }, stream: true });
    expect(text).toContain('"error"');
    expect(text).not.toMatch(/\[DONE\]\s*$/);
  });
});

describe('a chooser', () => {
  it.each(['unmakeable', 'nothing', 'late', 'bare', 'throws', 'rejects', 'moves', 'empties', 'fills'])(
    'bad-%s falls back to drawing its targets by weight',
    async (id) => {
      const targets = [config(), config({ api_key: 'other' })];
      const balanced = { strategy: { mode: 'loadbalance', balance: `bad-${id}` }, targets };
      for (const stream of [false, true]) expect(await ask(balanced, { stream })).toMatchObject({ status: 200 });
    },
  );
});

describe('a provider', () => {
  it.each([
    'bad-headers',
    'bad-lines',
    'bad-url',
    'bad-authorize',
    'bad-sync-authorize',
    'bad-nothing',
    'bad-path',
    'bad-send',
    'bad-sync-send',
    'bad-collect',
    'bad-start',
    'bad-head',
  ])('%s ends its request with an error answer', async (provider) => {
    for (const stream of [false, true]) {
      const { status, text } = await ask({ provider }, { stream });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toContain('"error"');
    }
  });

  it.each([
    ['bad-cut', 'cut at once'],
    ['bad-late-cut', 'cut late'],
  ])('%s, which fails within its stream, breaks the stream and is reported', async (provider, reported) => {
    const { text } = await ask({ provider }, { stream: true });
    expect(text).toContain('"content":"hi"');
    expect(text).toContain('"code":"stream-cut"');
    await expect.poll(() => gateway.printed()).toContain(reported);
  });

  it('bad-never, whose body never arrives, times out', async () => {
    const { status, text } = await ask({ provider: 'bad-never', request_timeout: 100 });
    expect(status).toBe(408);
    expect(text).toContain('"code":"request-timeout"');
  });

  it('bad-pass ends a request that it passes through with an error answer', async () => {
    const { status, text } = await ask({ provider: 'bad-pass' }, { path: '/anything' });
    expect(status).toBe(500);
    expect(text).toContain('"error"');
  });
});

it('the gateway is alive after all of this', async () => {
  expect(await ask(config())).toMatchObject({ status: 200 });
});
