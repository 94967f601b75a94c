import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;
let before: number;

const sent = (): number => first.requests.length + second.requests.length;

beforeAll(async () => {
  const answer = () => startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  [first, second] = await Promise.all([answer(), answer()]);
  const saved = (upstream: TestUpstream, name: string) => ({
    provider: 'openai',
    credential: { api_key: `\${env:${name}}` },
    settings: { custom_host: `${upstream.origin}/v1` },
  });
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        providers: { first: saved(first, 'FIRST_KEY'), second: saved(second, 'SECOND_KEY') },
        virtual_keys: { 'second-key': saved(second, 'SECOND_KEY') },
      },
      'configs/patient.json': { retry: { attempts: 1 }, request_timeout: 5000 },
      'configs/chosen.json': { override_params: { model: '@second/gpt-4o' } },
      'configs/both.json': {
        strategy: { mode: 'fallback' },
        targets: [{ provider: '@first' }, { provider: '@second' }],
      },
    },
    env: { FIRST_KEY: 'key-of-the-first', SECOND_KEY: 'key-of-the-second' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});
beforeEach(() => {
  before = sent();
});

const call = async (body: object | string, headers: Record<string, string> = {}, path = '/chat/completions') => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...body }),
  });
  return { status: answer.status, plan: answer.headers.get('x-gw-plan'), body: await answer.json() };
};

const arrived = (upstream: TestUpstream) => {
  const request = upstream.requests.at(-1);
  return { key: request?.header('authorization'), model: JSON.parse(String(request?.body)).model };
};

describe("the body's model as @slug/model", () => {
  it.each([
    ['without a config', {}],
    ['next to a config in the header that names no provider', { 'x-gw-config': '{"retry":{"attempts":1}}' }],
    ['next to a saved config that names no provider', { 'x-gw-config': 'patient' }],
    ["next to the caller's own key for something else", { authorization: 'Bearer of-the-caller' }],
  ])('names a saved provider and its model %s', async (_, headers) => {
    expect(await call({ model: '@second/gpt-4o' }, headers)).toMatchObject({ status: 200 });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'gpt-4o' });
    expect(await call({ model: '@first/org/model' }, headers)).toMatchObject({ status: 200 });
    expect(arrived(first)).toEqual({ key: 'Bearer key-of-the-first', model: 'org/model' });
  });

  it('keeps the name of the saved config that it completes', async () => {
    const { plan } = await call({ model: '@second/gpt-4o' }, { 'x-gw-config': 'patient' });
    expect(plan).toMatch(/^patient@/);
  });

  it('works in every dialect, and in requests that are passed through', async () => {
    await call({ model: '@second/gpt-4o', max_tokens: 5 }, {}, '/messages');
    expect(arrived(second).model).toBe('gpt-4o');
    await call({ model: '@second/embed', input: 'x' }, {}, '/embeddings');
    expect(arrived(second).model).toBe('embed');
    await call('{ "input": "@first/x", "model" : "@second/gpt-4o" }', {}, '/assistants');
    expect(second.requests.at(-1)).toMatchObject({ path: '/v1/assistants' });
    expect(String(second.requests.at(-1)?.body)).toBe('{ "input": "@first/x", "model" : "gpt-4o" }');
  });

  it.each([
    { 'x-gw-provider': '@second' },
    { 'x-gw-config': '{"provider":"@second"}' },
    { 'x-gw-config': '{"retry":{"attempts":1}}', 'x-gw-provider': '@second' },
    { 'x-gw-config': 'patient', 'x-gw-provider': '@second' },
  ])('loses its slug if it matches the provider that %j names', async (headers) => {
    expect(await call({ model: '@second/gpt-4o' }, headers)).toMatchObject({ status: 200 });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'gpt-4o' });
  });

  it.each([
    { 'x-gw-provider': '@second' },
    { 'x-gw-virtual-key': 'second-key' },
    { 'x-gw-config': '{"provider":"@second"}' },
    { 'x-gw-config': 'patient', 'x-gw-virtual-key': 'second-key' },
    { 'x-gw-provider': 'openai', authorization: 'Bearer of-the-caller' },
  ])('returns 400 with a slug other than that of the provider that %j names', async (headers) => {
    expect(await call({ model: '@first/gpt-4o' }, headers)).toMatchObject({
      status: 400,
      body: { error: { code: 'other-provider-model' } },
    });
    expect(sent()).toBe(before);
  });

  it('is not needed if a header completes a saved config', async () => {
    const headers = { 'x-gw-config': 'patient', 'x-gw-provider': '@second/gpt-4o' };
    expect(await call({ model: 'anything' }, headers)).toMatchObject({
      status: 200,
      plan: expect.stringMatching(/^patient@/),
    });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'gpt-4o' });
    expect(await call({ model: 'm' }, { 'x-gw-config': 'patient', 'x-gw-virtual-key': 'second-key' })).toMatchObject({
      status: 200,
    });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'm' });
    expect(await call({ model: 'm' }, { 'x-gw-config': 'patient', 'x-gw-provider': '@nobody' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid-header', message: expect.stringContaining('x-gw-provider') } },
    });
  });

  it('selects a target of a fallback', async () => {
    expect(await call({ model: '@second/gpt-4o' }, { 'x-gw-config': 'both' })).toMatchObject({ status: 200 });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'gpt-4o' });
  });

  it('is ignored if the config sets another model', async () => {
    expect(await call({ model: '@first/gpt-4o' }, { 'x-gw-config': 'chosen' })).toMatchObject({ status: 200 });
    expect(arrived(second)).toEqual({ key: 'Bearer key-of-the-second', model: 'gpt-4o' });
  });

  it('returns 400 if nothing is saved under the slug, without revealing what is', async () => {
    for (const headers of [{}, { 'x-gw-config': 'patient' }, { 'x-gw-config': '{"retry":{"attempts":1}}' }]) {
      const { status, body } = await call({ model: '@firs/gpt-4o' }, headers);
      expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'invalid-model' } } });
      expect(JSON.stringify(body)).not.toContain('@first');
    }
    expect(await call({ model: `@${'a'.repeat(300)}/m` })).toMatchObject({
      body: { error: { code: 'invalid-model' } },
    });
    expect(sent()).toBe(before);
  });

  it('is not recognised in any other form or place', async () => {
    for (const body of [{ model: '@first' }, { model: 'first/gpt-4o' }, { model: 'm', tools: [{ model: '@first/m' }] }])
      expect(await call(body)).toMatchObject({ status: 400, body: { error: { code: 'missing-provider' } } });
    await call({ model: 'm', metadata: { model: '@first/m' } }, { 'x-gw-provider': '@second' });
    expect(arrived(second).model).toBe('m');
  });

  it.each([
    { 'x-gw-custom-host': 'https://elsewhere.example' },
    { 'x-gw-forward-headers': 'cookie' },
    { 'x-gw-config': '{"retry":{"attempts":1},"custom_host":"https://elsewhere.example"}' },
    { 'x-gw-config': '{"forward_headers":["cookie"]}' },
  ])('sends no saved credential to a destination that the request chooses with %j', async (headers) => {
    const { status } = await call({ model: '@first/gpt-4o' }, headers);
    expect(status).toBe(400);
    expect(sent()).toBe(before);
  });
});

describe('a default config', () => {
  const named = { model: '@first/gpt-4o' };
  /** The gateways by the config that they are started with. Tests with the same config share one. */
  const gates = new Map<string, Promise<GatewayProcess>>();
  afterAll(() => Promise.all([...gates.values()].map(async (gate) => (await gate).stop())));
  const started = (defaultConfig: object, more: object = {}): Promise<GatewayProcess> => {
    const saved = (upstream: TestUpstream, name: string) => ({
      provider: 'openai',
      credential: { api_key: `\${env:${name}}` },
      settings: { custom_host: `${upstream.origin}/v1` },
    });
    const files = {
      'gateway.json': {
        ...{ configs: 'configs', default_config: 'usual' },
        providers: { first: saved(first, 'FIRST_KEY'), second: saved(second, 'SECOND_KEY') },
        virtual_keys: { 'second-key': saved(second, 'SECOND_KEY') },
        ...more,
      },
      'configs/usual.json': defaultConfig,
    };
    const which = JSON.stringify(files);
    const gate =
      gates.get(which) ??
      startGateway({ files, env: { FIRST_KEY: 'key-of-the-first', SECOND_KEY: 'key-of-the-second' } });
    gates.set(which, gate);
    return gate;
  };
  const ask = async (origin: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...body }),
    });
    const { error } = JSON.parse(await answer.text());
    const plan = answer.headers.get('x-gw-plan')?.split('@')[0];
    return { status: answer.status, plan, code: error?.code, message: error?.message };
  };

  const second4 = { provider: '@second', override_params: { model: 'gpt-4' } };
  it.each<[string, object, object]>([
    ['takes precedence over the model if it names a provider and a model', second4, { status: 200, plan: 'usual' }],
    ['rejects a model of another provider than its own', { provider: '@second' }, { status: 400 }],
    ['serves the model of its own provider', { provider: '@first' }, { status: 200, plan: 'usual' }],
    ['without a provider uses the provider of the model', { retry: { attempts: 1 } }, { status: 200, plan: 'usual' }],
  ])('%s', async (_, config, expected) => {
    const gate = await started(config);
    expect(await ask(gate.origin, named)).toMatchObject(expected);
  });

  it.each<[object, string | undefined]>([
    [{ provider: '@first' }, undefined],
    [{ retry: { attempts: 1 } }, undefined],
    [{ retry: { attempts: 1 } }, 'usual'],
    [{ provider: '@first' }, '{"retry":{"attempts":2}}'],
  ])(
    'rejects a virtual key in the provider header and names the right header, by default %j, with the config %j',
    async (byDefault, config) => {
      const gate = await started(byDefault);
      const headers = { 'x-gw-provider': '@second-key', ...(config !== undefined && { 'x-gw-config': config }) };
      for (const round of [1, 2])
        expect(await ask(gate.origin, { model: 'gpt-4o' }, headers), `round ${round}`).toMatchObject({
          ...{ status: 400, code: 'invalid-header' },
          message: expect.stringContaining(
            '"second-key" is saved as a virtual key, not as a provider. Send x-gw-virtual-key: second-key in its place.',
          ),
        });
    },
  );

  it('does not mention the provider header if the config of the request is itself invalid', async () => {
    const gate = await started({ provider: '@first' });
    const headers = { 'x-gw-provider': '@second-key', 'x-gw-config': '{"provider":"@second","retry":1}' };
    expect(await ask(gate.origin, { model: 'gpt-4o' }, headers)).toMatchObject({ code: 'invalid-config' });
  });

  it('returns 400 for the slug of a virtual key and names the header for it', async () => {
    const gate = await started({ retry: { attempts: 1 } });
    expect(await ask(gate.origin, { model: '@second-key/gpt-4o' })).toMatchObject({
      ...{ status: 400, code: 'invalid-model' },
      message: expect.stringContaining(
        'saved as a virtual key. Send the header x-gw-virtual-key: second-key, and the model without "@second-key/".',
      ),
    });
  });

  it('suggests the right slug only to callers with a key', async () => {
    const keys = { auth: { keys: [{ id: 'one', key: '${env:FIRST_KEY}' }] }, trusted_hosts: ['127.0.0.1'] };
    const wrong = { model: '@frist/gpt-4o' };
    for (const [more, meant] of [
      [keys, 'No provider is saved as "frist". Did you mean "@first"?'],
      [{}, 'No provider is saved as "frist".'],
    ] as const) {
      const gate = await started({ retry: { attempts: 1 } }, more);
      const answer = await ask(gate.origin, wrong, { 'x-gw-api-key': 'key-of-the-first' });
      expect(answer).toMatchObject({ status: 400, code: 'invalid-model' });
      expect(answer.message).toContain(`cannot be used: ${meant}`);
      expect(answer.message.includes('@first')).toBe(more === keys);
    }
  });
});
