import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let upstream: TestUpstream;
let gateway: GatewayProcess;
let withDefault: GatewayProcess;
let open: GatewayProcess;
let grok: GatewayProcess;
let before: number;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  const saved = (provider: string, name: string) => ({
    provider,
    credential: { api_key: `\${env:${name}}` },
    settings: { custom_host: `${upstream.origin}/v1` },
  });
  const settings = {
    configs: 'configs',
    providers: {
      prod: saved('openai', 'OPENAI_KEY'),
      'groq-eu': saved('groq', 'GROQ_KEY'),
      'groq-us': saved('groq', 'GROQ_KEY'),
    },
  };
  const files = {
    'configs/patient.json': { retry: { attempts: 1 } },
    'configs/named.json': { provider: '@groq-eu' },
  };
  const env = { OPENAI_KEY: 'key-of-openai', GROQ_KEY: 'key-of-groq', GROK_KEY: 'key-of-grok', GW_LOG: 'requests' };
  [gateway, withDefault, open, grok] = await Promise.all([
    startGateway({ files: { ...files, 'gateway.json': settings }, env }),
    startGateway({ files: { ...files, 'gateway.json': { ...settings, default_config: 'named' } }, env }),
    startGateway({ files: { ...files, 'gateway.json': { ...settings, default_config: 'patient' } }, env }),
    startGateway({ files: { 'gateway.json': { providers: { own: saved('x-ai', 'GROK_KEY') } } }, env }),
  ]);
});
afterAll(async () => {
  await Promise.all([gateway.stop(), withDefault.stop(), open.stop(), grok.stop()]);
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

type Lines = Readonly<Record<string, string>>;
const messages = [{ role: 'user', content: 'hi' }];

const ask = async (
  body: object | string,
  headers: Lines = {},
  { path = '/chat/completions', from = gateway }: { readonly path?: string; readonly from?: GatewayProcess } = {},
) => {
  const answer = await fetch(`${from.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ messages, max_tokens: 5, ...body }),
  });
  const text = await answer.text();
  return { status: answer.status, text, error: JSON.parse(text).error };
};

const sent = () => {
  const request = upstream.requests.at(-1);
  return { key: request?.header('authorization'), model: JSON.parse(String(request?.body)).model };
};

describe('a model that begins with the name of a provider', () => {
  it.each([
    ['without any other header', {}, '/chat/completions'],
    [
      'with a key of the caller, which is not forwarded',
      { authorization: 'Bearer of-the-caller' },
      '/chat/completions',
    ],
    ['with a config that names no provider', { 'x-gw-config': 'patient' }, '/chat/completions'],
    ['in another dialect', { 'x-api-key': 'of-the-caller' }, '/messages'],
    ['in a request that is passed through', { authorization: 'Bearer of-the-caller' }, '/assistants'],
  ])('finds the saved provider %s', async (_, headers, path) => {
    expect(await ask({ model: 'openai/org/gpt-4o' }, headers, { path })).toMatchObject({ status: 200 });
    expect(sent()).toEqual({ key: 'Bearer key-of-openai', model: 'org/gpt-4o' });
    expect(upstream.requests.at(-1)?.rawHeaders.join('\n')).not.toContain('of-the-caller');
  });

  it('is logged with the saved provider that served it', async () => {
    await ask({ model: 'openai/gpt-4o' }, { 'x-gw-trace-id': 'by-provider' });
    await expect
      .poll(() => JSON.stringify(gateway.records().find(({ trace }) => trace === 'by-provider')))
      .toContain('openai');
  });

  it('needs no credential if the provider needs none', async () => {
    const { status, text } = await ask({ model: 'echo/any' });
    expect([status, JSON.parse(text).model]).toEqual([200, 'any']);
  });

  it('leaves the bytes of all other members unchanged', async () => {
    const body = '{ "seed": 1.50, "model" : "openai/gpt-4o", "messages":[{"role":"user","content":"\\u0041"}]}';
    await ask(body);
    expect(String(upstream.requests.at(-1)?.body)).toBe(body.replace('openai/', ''));
  });

  it.each([
    ['no such provider is saved', 'anthropic/claude', 'send x-gw-provider: anthropic with Authorization'],
    ['several providers of that kind are saved', 'groq/llama', 'name one of them, as @slug/model'],
    ['it names no provider', 'meta-llama/Llama-3', 'Send x-gw-config, x-gw-virtual-key'],
    ['it begins with a slug without @', 'prod/gpt-4o', 'Send x-gw-config, x-gw-virtual-key'],
  ])('returns 400 if %s, and no key is sent', async (_, model, hint) => {
    for (const headers of [{}, { authorization: 'Bearer of-the-caller' }]) {
      const { status, error } = await ask({ model }, headers as Lines);
      expect([status, error.code, error.message]).toEqual([400, 'missing-provider', expect.stringContaining(hint)]);
      // The message does not reveal what is saved.
      expect(error.message).not.toMatch(/groq-eu|groq-us|"prod"/);
    }
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['the default config', {}, 'open', 'Send x-gw-config, x-gw-virtual-key'],
    [
      'a config that is named in a header',
      { 'x-gw-config': 'patient' },
      'gateway',
      'Name a provider in the config, send x-gw-',
    ],
    [
      'a JSON config in a header',
      { 'x-gw-config': '{"retry":{"attempts":1}}' },
      'gateway',
      'Name a provider in the config, send x-gw-',
    ],
  ])('is quoted in the error if neither %s nor the model names a provider', async (_, headers, name, ways) => {
    const { status, error } = await ask({ model: 'gpt-4o' }, headers as Lines, {
      from: name === 'open' ? open : gateway,
    });
    expect([status, error.code]).toEqual([400, 'missing-provider']);
    expect(error.message).toContain(`The model "gpt-4o" names none. ${ways}`);
    expect(error.message).toContain(
      'or write the model as provider/gpt-4o or @slug/gpt-4o, with a saved provider. GET /v1',
    );
    expect(error.message).not.toContain('default_config');
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['@prod', '"@prod" is a saved provider: write the model as @prod/MODEL. GET /v1/models lists'],
    ['@nobody', 'The model "@nobody" is only a slug: write it as @slug/MODEL, with a saved provider.'],
  ])('returns 400 with the correct form if it is only %s', async (model, hint) => {
    const { status, error } = await ask({ model });
    expect([status, error.code, error.message]).toEqual([400, 'missing-provider', expect.stringContaining(hint)]);
  });

  it.each([
    ['begins with the slug of a saved provider', 'gateway', 'prod/org/gpt-4o', '@prod/org/gpt-4o'],
    ['begins with another name of the only saved provider', 'grok', 'maker/grok-4', '@own/grok-4'],
    ['is a model of another vendor', 'grok', 'org/model', '@own/org/model'],
  ] as const)('returns an error with a name that works if it %s', async (_, name, model, written) => {
    const from = { gateway, grok }[name];
    const { error } = await ask({ model }, {}, { from });
    expect(error.message).toContain(`write the model as ${written}, or set`);
    expect(await ask({ model: written }, {}, { from })).toMatchObject({ status: 200 });
    expect(sent().model).toBe(written.replace(/^@\w+\//, ''));
  });

  it.each([
    ['x-gw-provider', '@a-key', 'GET /v1/models lists what a request can name, as @slug/model'],
    ['x-gw-provider', '@a-key', 'To use a virtual key, send x-gw-virtual-key'],
    ['x-gw-virtual-key', 'prod', 'To use a saved provider, send x-gw-provider: @slug'],
  ])(
    'is not read if %s names %s, which is saved as something else: the error explains where it is',
    async (header, value, hint) => {
      const { status, error } = await ask({ model: 'openai/gpt-4o' }, { [header]: value });
      expect([status, error.code, error.message]).toEqual([400, 'invalid-header', expect.stringContaining(hint)]);
      expect(upstream.requests.length).toBe(before);
    },
  );

  it.each([
    [
      'is not JSON',
      '{model: openai/gpt-4o}',
      '/chat/completions',
      /No model could be read either\. The body is not valid JSON: .* Send one JSON object .* Send x-gw-config/,
    ],
    ['is empty', '', '/messages', /No model could be read either\. The body is not valid JSON: .* Send x-gw-config/],
    ['is for a path that accepts any body', 'a,b', '/assistants', /^The request names no provider\. Send x-gw-config/],
  ])('is not found if the body %s, and the error says so', async (_, body, path, message) => {
    const { status, error } = await ask(body, {}, { path });
    expect([status, error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('returns 400 if the body names two models', async () => {
    const { status, error } = await ask(
      `{"model":"openai/a","model":"openai/b","messages":${JSON.stringify(messages)}}`,
    );
    expect([status, error.code]).toEqual([400, 'malformed-body']);
    expect(upstream.requests.length).toBe(before);
  });

  it.each([
    ['a provider in a header', { 'x-gw-provider': '@groq-us' }, 'gateway'],
    ['a config that is named in a header', { 'x-gw-config': 'named' }, 'gateway'],
    ['a JSON config in a header', { 'x-gw-config': '{"provider":"@groq-us"}' }, 'gateway'],
    ['the default config', {}, 'withDefault'],
  ])('stays unchanged if %s names the provider', async (_, headers, name) => {
    const from = name === 'gateway' ? gateway : withDefault;
    for (const model of ['openai/gpt-oss-120b', 'meta-llama/Llama-3']) {
      expect(await ask({ model }, headers as Lines, { from })).toMatchObject({ status: 200 });
      expect(sent()).toEqual({ key: 'Bearer key-of-groq', model });
    }
  });
});
