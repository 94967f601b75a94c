import { describe, expect, it } from 'vitest';
import type { Route } from '../../../plugins/sdk/exchange/exchange.ts';
import type { EndpointCall, Provider } from '../../../plugins/sdk/provider/provider.ts';
import { receiveBody } from '../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type RunningConfig, runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { type StubHandler, stubAnswer } from '../../support/in-process/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../support/plugins/tongue.ts';

interface Given {
  readonly speaks?: Provider['speaks'];
  readonly provider?: Partial<Provider>;
  readonly config?: JsonObject;
  readonly upstream?: StubHandler;
}

const own = ({ speaks = { tongue: '/say/{model}' }, provider, config, upstream }: Given = {}): RunningConfig =>
  runConfig(
    { provider: 'own', ...config },
    { upstream: upstream ?? (() => stubAnswer({ say: 'yes' })), plugins: [tongueWith(speaks, provider)] },
  );

const say = (bytes: string, route: Partial<Route> = {}, running: RunningConfig = own()) =>
  running.handle(
    sampleExchange(JSON.parse(bytes), {
      route: { ...tongueRoute, ...route },
      request: {
        method: 'POST',
        path: '/say',
        headers: [],
        body: { kind: 'bytes', bytes: Buffer.from(bytes) },
      },
    }),
  );

const chat = (params: JsonObject, running: RunningConfig) =>
  running.handle(sampleExchange({ messages: [{ role: 'user', content: 'hi' }], ...params }));

const sent = ({ upstreams }: RunningConfig, at = 0): { readonly path: string; readonly body: string } => {
  const { path = '', body } = upstreams.requests[at] ?? {};
  return { path, body: body?.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '' };
};

describe('a request with the model in its path', () => {
  it('is sent byte for byte to the path of its model', async () => {
    const running = own();
    expect(await say('{ "say": "hi" }', { model: 'a/b' }, running)).toMatchObject({ status: 200 });
    expect(sent(running)).toEqual({ path: '/base/say/a%2Fb', body: '{ "say": "hi" }' });
  });

  it('gets the model of an override in its path, and none in its body', async () => {
    const running = own({ config: { override_params: { model: 'over', stream: false } } });
    await say('{ "say": "hi" }', {}, running);
    expect(sent(running)).toEqual({ path: '/base/say/over', body: '{ "say": "hi" }' });
  });

  it('loses the slug of its own provider, and is refused with the slug of another', async () => {
    const running = own();
    await say('{}', { model: '@own/m' }, running);
    expect(sent(running).path).toBe('/base/say/m');
    expect(await say('{}', { model: '@other/m' }, running)).toMatchObject({
      status: 400,
      cause: 'other-provider-model',
    });
  });

  it.each(['..', '.', ''])('is refused without being sent if its model is %j', async (model) => {
    const running = own();
    const response = await say('{}', { model }, running);
    expect(response).toMatchObject({ status: 400, cause: 'missing-model', origin: 'gateway' });
    expect(running.upstreams.requests).toEqual([]);
  });

  it.each(['..', '.', ''])('is served by the next target of a fallback if its model is %j', async (model) => {
    const targets = [{ provider: 'own' }, { provider: 'own', override_params: { model: 'other' } }];
    const running = own({ config: { strategy: { mode: 'fallback' }, targets } });
    expect(await say('{}', { model }, running)).toMatchObject({ status: 200, leaf: { path: '/targets/1' } });
    expect(running.upstreams.requests.map(({ path }) => path)).toEqual(['/base/say/other']);
  });

  it("takes the path's model and stream flag from its route and overrides, not from its body", async () => {
    const calls: EndpointCall[] = [];
    const speaks = {
      tongue: (call: EndpointCall) => {
        calls.push(call);
        return '/made';
      },
    };
    const plain = own({ speaks });
    await say('{"model":"body","stream":true}', {}, plain);
    await say('{}', { stream: true }, plain);
    await say('{}', { stream: true }, own({ speaks, config: { override_params: { stream: false, model: 'o' } } }));
    expect(calls.map(({ model, stream }) => [model, stream])).toEqual([
      ['m', false],
      ['m', true],
      ['o', false],
    ]);
  });
});

describe('overrides', () => {
  const config = { override_params: { temperature: 0.5 } };

  it('are placed where the dialect expects them, and all other bytes stay', async () => {
    const running = own({ config });
    await say('{ "say": 1.50, "knobs": { "edge": 2 } }', {}, running);
    expect(sent(running).body).toBe('{ "say": 1.50, "knobs": {"edge":2,"heat":0.5} }');
  });

  it('are applied before a request is translated', async () => {
    const running = own({ config, speaks: { chat: '/chat' }, upstream: () => stubAnswer({ choices: [] }) });
    await say('{"say":"hi"}', {}, running);
    expect(JSON.parse(sent(running).body)).toMatchObject({ model: 'm', temperature: 0.5, messages: [{}] });
  });

  it('are not applied to an unmodelled path if the dialect has its own places for them', async () => {
    const running = own({ config });
    await say('{ "say": "count" }', { operation: 'opaque' }, running);
    expect(sent(running)).toEqual({ path: '/base/say', body: '{ "say": "count" }' });
  });
});

describe('a request translated to a dialect with the model in its path', () => {
  it('is sent to the path of the model in its body, and answered in its own dialect', async () => {
    const running = own();
    const response = await chat({ model: 'gpt/x', temperature: 0.1 }, running);
    expect(sent(running).path).toBe('/base/say/gpt%2Fx');
    expect(JSON.parse(sent(running).body)).toMatchObject({ say: 'hi', knobs: { heat: 0.1 } });
    expect(toJson(response)).toMatchObject({ model: 'gpt/x', choices: [{ message: { content: 'yes' } }] });
  });

  it("takes the path's model and stream flag from its body", async () => {
    const speaks = { tongue: ({ model, stream }: EndpointCall) => `/${model}/${stream ? 'streamed' : 'whole'}` };
    const running = own({ speaks });
    await chat({ model: 'm' }, running);
    await chat({ model: 'm', stream: true }, running);
    expect([sent(running).path, sent(running, 1).path]).toEqual(['/base/m/whole', '/base/m/streamed']);
  });

  it('is refused if it names no model', async () => {
    expect(await chat({}, own())).toMatchObject({ status: 400, cause: 'missing-model' });
  });
});

describe('a provider', () => {
  it('can use different model names in bodies and in paths', async () => {
    const bodyModel = (model: string): string => `body-${model}`;
    const translated = own({ provider: { bodyModel } });
    await chat({ model: 'm' }, translated);
    expect([sent(translated).path, JSON.parse(sent(translated).body).named]).toEqual(['/base/say/m', 'body-m']);
    const same = own({ provider: { bodyModel }, speaks: { chat: '/{model}/chat' } });
    await chat({ model: 'm', seed: 1 }, same);
    expect([sent(same).path, JSON.parse(sent(same).body)]).toMatchObject([
      '/base/m/chat',
      { model: 'body-m', seed: 1 },
    ]);
    const inPath = own({ provider: { bodyModel } });
    await say('{ "model": "stays" }', {}, inPath);
    expect(sent(inPath).body).toBe('{ "model": "stays" }');
  });

  it('can limit the dialects that it speaks by model', async () => {
    const speaks = { chat: '/chat', tongue: '/say/{model}' };
    const asked: (string | undefined)[] = [];
    const dialectsOf = (model: string | undefined): readonly string[] => {
      asked.push(model);
      if (model === 'both') return ['tongue', 'chat', 'unknown'];
      return model?.startsWith('t') === true ? ['tongue'] : [];
    };
    const running = own({ speaks, provider: { dialectsOf } });
    for (const model of ['both', 't-1', 't-2']) await chat({ model }, running);
    expect([0, 1, 2].map((at) => sent(running, at).path)).toEqual(['/base/chat', '/base/say/t-1', '/base/say/t-2']);
    expect(await chat({ model: 'x' }, running)).toMatchObject({ status: 501, cause: 'operation-not-supported' });
    expect(asked).toEqual(['both', 't-1', 't-2', 'x']);
  });

  it('selects its dialect without reading a body that nothing else needs', async () => {
    const running = own({ provider: { dialectsOf: () => ['tongue'] } });
    const unread = () => {
      throw new Error('Nobody asked to read it.');
    };
    const response = await running.handle(sampleExchange({}, { route: tongueRoute, json: unread }));
    expect(response).toMatchObject({ status: 200 });
  });

  it('can adapt translated requests, and those in its own dialect if it declares so', async () => {
    const adapt = ({ named: _, ...body }: JsonObject, dialect: string): JsonObject => ({ ...body, version: dialect });
    const running = own({ provider: { adapt } });
    await chat({ model: 'm' }, running);
    await say('{ "named": 1 }', {}, running);
    expect([JSON.parse(sent(running).body), sent(running, 1).body]).toEqual([
      expect.objectContaining({ version: 'tongue', say: 'hi' }),
      '{ "named": 1 }',
    ]);
    const adapting = own({ provider: { adapt, adaptsOwn: ['tongue'] } });
    await say('{ "named": 1, "say": 1.50 }', {}, adapting);
    await say('{ "say": 1.50 }', {}, adapting);
    expect([sent(adapting).body, sent(adapting, 1).body]).toEqual([
      '{"say":1.5,"version":"tongue"}',
      '{"version":"tongue", "say": 1.50 }',
    ]);
    const marked = own({ provider: { adapt, drop: ['rate'], adaptsMarked: { tongue: ['"old"'] } } });
    const said = ['{"say": "old", "rate": 1.50}', '{"say": "\\"old\\"", "rate": 1.50}', '{"say": "new", "rate": 1.50}'];
    for (const body of said) await say(body, {}, marked);
    expect(said.map((_, at) => sent(marked, at).body)).toEqual([
      `{"version":"tongue",${said[0]?.slice(1)}`,
      said[1],
      said[2],
    ]);
  });

  it('gets requests to unmodelled paths of a dialect only if it speaks that dialect', async () => {
    const other = own({ speaks: { chat: '/chat' } });
    const response = await say('{}', { operation: 'opaque' }, other);
    expect(response).toMatchObject({ status: 501, cause: 'operation-not-supported' });
    expect(toJson(response)).toMatchObject({
      wrong: expect.stringContaining('does not support requests to this path'),
    });
    const speaking = own({ upstream: () => stubAnswer('not JSON', { status: 418, headers: ['x', 'y'] }) });
    const passed = await say('{}', { operation: 'opaque' }, speaking);
    expect(passed).toMatchObject({ status: 418, headers: ['x', 'y'] });
    expect((await receiveBody(passed.body)).bytes.toString()).toBe('not JSON');
  });

  it('selects its dialect without reading a body that is passed through', async () => {
    const asked: (string | undefined)[] = [];
    const dialectsOf = (model: string | undefined) => {
      asked.push(model);
      return ['tongue'];
    };
    const running = own({ provider: { dialectsOf } });
    const unread = () => {
      throw new Error('Nobody asked to read it.');
    };
    const route = { operation: 'opaque', dialect: 'tongue' } as const;
    expect(await running.handle(sampleExchange({}, { route, json: unread }))).toMatchObject({ status: 200 });
    expect(asked).toEqual([undefined]);
  });

  it('gets passed-through requests without the checks, which could not read them', async () => {
    const config = { input_guardrails: [{ 'default.contains': { words: ['x'], operator: 'any' } }] };
    const running = own({ config });
    expect((await say('{}', { operation: 'opaque' }, running)).status).toBe(200);
    expect((await say('{"say":"hi"}', {}, running)).status).toBe(246);
  });

  it('can report errors in its headers as well', async () => {
    const upstream: StubHandler = () => stubAnswer('gone', { status: 410, headers: ['X-Error-Type', 'Lost'] });
    const response = await chat({ model: 'm' }, own({ upstream }));
    expect(response.status).toBe(410);
    expect(toJson(response)).toMatchObject({ error: { message: 'gone', type: 'X-Error-Type Lost' } });
  });
});
