import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const target = (provider: string, model: string | undefined): object => ({
  provider,
  api_key: `key-of-${provider}`,
  custom_host: `${upstream.origin}/v1`,
  ...(model === undefined ? {} : { override_params: { model } }),
});

const toHeaders = (config: object | undefined): Record<string, string> =>
  config === undefined ? {} : { 'x-gw-config': JSON.stringify(config) };

const openai = (config?: object): OpenAI =>
  new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: toHeaders(config) });

const anthropic = (config?: object): Anthropic =>
  new Anthropic({ baseURL: gateway.origin, apiKey: 'not-sent', maxRetries: 0, defaultHeaders: toHeaders(config) });

const readIds = async (list: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
};

beforeAll(async () => {
  upstream = await startUpstream();
  upstream.handle((call) =>
    call.json({ object: 'list', data: [{ id: 'of-the-vendor', object: 'model', created: 7, owned_by: 'vendor' }] }),
  );
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        default_config: 'prod',
        providers: { team: { provider: 'groq', credential: { api_key: '${env:KEY}' } } },
      },
      'configs/prod.json': {
        strategy: { mode: 'fallback' },
        targets: [
          { provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'gpt-4o' } },
          {
            strategy: { mode: 'loadbalance' },
            targets: [
              { provider: '@team', override_params: { model: 'llama-3.3-70b-versatile' } },
              { provider: 'anthropic', api_key: '${env:KEY}', override_params: { model: 'claude-sonnet-4-5' } },
              { provider: 'openai', api_key: '${env:KEY}', override_params: { model: 'gpt-4o' } },
            ],
          },
        ],
      },
    },
    env: { KEY: 'a-key-for-tests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('GET /v1/models', () => {
  it("lists the models of the default config for OpenAI's client", async () => {
    const { data } = await openai().models.list();
    expect(data).toEqual([
      { id: 'gpt-4o', object: 'model', created: 0, owned_by: 'openai' },
      { id: 'llama-3.3-70b-versatile', object: 'model', created: 0, owned_by: 'groq' },
      { id: 'claude-sonnet-4-5', object: 'model', created: 0, owned_by: 'anthropic' },
    ]);
  });

  it.each([
    ['provider=openai', ['gpt-4o']],
    ['ai_service=groq', ['llama-3.3-70b-versatile']],
    ['provider=openai&ai_service=groq', []],
    ['provider=none', []],
    ['limit=2', ['gpt-4o', 'llama-3.3-70b-versatile']],
    ['limit=1&offset=1', ['llama-3.3-70b-versatile']],
    ['offset=9', []],
    ['sort=name', ['claude-sonnet-4-5', 'gpt-4o', 'llama-3.3-70b-versatile']],
    ['order=desc&limit=1', ['llama-3.3-70b-versatile']],
    ['sort=provider', ['claude-sonnet-4-5', 'llama-3.3-70b-versatile', 'gpt-4o']],
    ['sort=&limit=&provider=&after=7', ['gpt-4o', 'llama-3.3-70b-versatile', 'claude-sonnet-4-5']],
  ])('filters by its query: %s', async (query, ids) => {
    const answer = await fetch(`${gateway.baseUrl}/models?${query}`);
    const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['limit=0', 'limit must be a whole number of at least 1'],
    ['limit=many', 'limit must be a whole number of at least 1'],
    ['offset=-1', 'offset must be a whole number of at least 0'],
    ['sort=price', 'sort must be "name" or "provider" or "ai_service"'],
    ['order=up', 'order must be "asc" or "desc"'],
  ])('explains what is wrong with its query: %s', async (query, reason) => {
    const answer = await fetch(`${gateway.baseUrl}/models?${query}`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
    ]);
  });

  it('ignores the page size in the list of another client', async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const answer = await fetch(`${gateway.baseUrl}/models?limit=1`, { headers });
    expect(((await answer.json()) as { readonly data: readonly unknown[] }).data).toHaveLength(3);
  });

  it("lists models for Anthropic's client in its own form", async () => {
    const page = await anthropic().models.list();
    expect(page).toMatchObject({ has_more: false, first_id: 'gpt-4o', last_id: 'claude-sonnet-4-5' });
    expect(page.data[0]).toMatchObject({ type: 'model', id: 'gpt-4o', display_name: 'gpt-4o' });
    expect(await readIds(anthropic().models.list())).toEqual([
      'gpt-4o',
      'llama-3.3-70b-versatile',
      'claude-sonnet-4-5',
    ]);
  });

  it("lists models for Cohere's client in its own form", async () => {
    const { models } = await new CohereClientV2({ environment: gateway.origin, token: 'not-sent' }).models.list();
    expect(models?.map(({ name }) => name)).toEqual(['gpt-4o', 'llama-3.3-70b-versatile', 'claude-sonnet-4-5']);
  });

  // As the vendor's libraries send it: https://github.com/mistralai/client-ts, https://github.com/mistralai/client-python
  it.each([
    'speakeasy-sdk/typescript 2.2.1 2.881.4 1.0.0 @mistralai/mistralai',
    'speakeasy-sdk/python 1.9.3 2.687.13 1.0.0 mistralai',
  ])("lists models for Mistral's client in its own form: %s", async (agent) => {
    const answer = await fetch(`${gateway.baseUrl}/models`, { headers: { 'user-agent': agent } });
    const { data } = JSON.parse(await answer.text());
    expect(data[0]).toMatchObject({ id: 'gpt-4o', type: 'base', capabilities: { completion_chat: true } });
  });

  it('is an empty list in the form of the client if nothing names a provider', async () => {
    const bare = await startGateway();
    try {
      const list = async (headers: Record<string, string>): Promise<unknown> => {
        const answer = await fetch(`${bare.baseUrl}/models`, { headers });
        return [answer.status, await answer.json()];
      };
      expect(await list({})).toEqual([200, { object: 'list', data: [] }]);
      expect(await list({ 'anthropic-version': '2023-06-01' })).toMatchObject([200, { data: [], has_more: false }]);
      expect(await list({ 'x-fern-sdk-name': 'cohere' })).toEqual([200, { models: [] }]);
      expect(await list({ 'x-goog-api-key': 'k' })).toEqual([200, { models: [] }]);
      // It is an error if the request names a config that does not exist.
      expect(await list({ 'x-gw-config': 'no-such' })).toMatchObject([404, {}]);
    } finally {
      await bare.stop();
    }
  });

  it('lists the priced models of saved providers that have a credential if nothing names a provider', async () => {
    const host = { settings: { custom_host: `${upstream.origin}/v1` } };
    const open = await startGateway({
      files: {
        'gateway.json': {
          providers: {
            team: { provider: 'groq', credential: { api_key: '${env:KEY}' }, ...host },
            claude: { provider: 'anthropic', credential: { api_key: '${env:KEY}' } },
            unset: { provider: 'openai', credential: { api_key: '${env:NOT_SET}' } },
            own: { provider: 'openai', credential: { api_key: '${env:KEY}' }, ...host },
            local: { provider: 'ollama', ...host },
          },
          prices: { ollama: { 'my-model': { input: 1, output: 1 }, '*': { input: 1, output: 1 } } },
        },
      },
      env: { KEY: 'a-key-for-tests' },
    });
    try {
      const client = new OpenAI({ baseURL: open.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
      const { data } = await client.models.list();
      const ids = data.map(({ id }) => id);
      expect(ids).toContain('@own/gpt-4o');
      expect(ids).toContain('@local/my-model');
      expect(ids.some((id) => id.startsWith('@team/'))).toBe(true);
      expect(ids.some((id) => id.startsWith('@claude/claude-'))).toBe(true);
      expect(ids.filter((id) => id.startsWith('@unset/') || id.includes('*'))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      // No fine-tuning prefixes, and no models that the provider has retired.
      expect(ids.filter((id) => id.startsWith('@own/ft:') || id.startsWith('@claude/claude-2'))).toEqual([]);
      expect(data.find(({ id }) => id === '@own/gpt-4o')?.owned_by).toBe('openai');
      // Each listed name can be sent as it is.
      const before = upstream.requests.length;
      await client.chat.completions.create({ model: '@own/gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
      expect(upstream.requests.at(before)?.json()).toMatchObject({ model: 'gpt-4o' });
      const pages = new Anthropic({ baseURL: open.origin, apiKey: 'not-sent', maxRetries: 0 }).models.list();
      expect(await readIds(pages)).toEqual(ids);
      // A config that names no provider is completed by the model too.
      const answer = await fetch(`${open.baseUrl}/models`, { headers: { 'x-gw-config': '{"retry":{"attempts":1}}' } });
      expect(((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(ids);
    } finally {
      await open.stop();
    }
  });

  it('lists only the names of the operator if the default config sets each model', async () => {
    const main = { provider: 'openai', credential: { api_key: '${env:KEY}' } };
    const own = await startGateway({
      files: {
        'gateway.json': {
          providers: { main: { ...main, settings: { custom_host: `${upstream.origin}/v1` } } },
          models: { fast: '@main/gpt-5.4-mini' },
          ...{ configs: 'configs', default_config: 'chat' },
        },
        'configs/chat.json': { provider: '@main', override_params: { model: 'gpt-5.4' } },
      },
      env: { KEY: 'a-key-for-tests' },
    });
    try {
      const client = new OpenAI({ baseURL: own.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
      expect(await readIds(client.models.list())).toEqual(['fast', 'gpt-5.4']);
      for (const [model, served] of [
        ['fast', 'gpt-5.4-mini'],
        ['another', 'gpt-5.4'],
      ] as const) {
        await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'hi' }] });
        expect(upstream.requests.at(-1)?.json()).toMatchObject({ model: served });
      }
    } finally {
      await own.stop();
    }
  });

  it("lists the models of the caller's config without calling a provider", async () => {
    const before = upstream.requests.length;
    const config = { strategy: { mode: 'fallback' }, targets: [target('openai', 'one'), target('openai', 'two')] };
    expect(await readIds(openai(config).models.list())).toEqual(['one', 'two']);
    expect(await readIds(openai(target('anthropic', 'three')).models.list())).toEqual(['three']);
    expect(upstream.requests.length).toBe(before);
  });

  it('omits a target that no request can reach', async () => {
    const config = {
      strategy: { mode: 'loadbalance' },
      targets: [
        { ...target('openai', 'kept'), weight: 1 },
        { ...target('openai', 'retired'), weight: 0 },
      ],
    };
    expect(await readIds(openai(config).models.list())).toEqual(['kept']);
  });

  it('is passed through if no target names a model', async () => {
    expect(await readIds(openai(target('openai', undefined)).models.list())).toEqual(['of-the-vendor']);
    const answer = await fetch(`${gateway.baseUrl}/models`, {
      headers: {
        'x-gw-provider': 'openai',
        authorization: 'Bearer of-the-caller',
        'x-gw-custom-host': `${upstream.origin}/v1`,
      },
    });
    expect(await answer.json()).toMatchObject({ data: [{ id: 'of-the-vendor' }] });
  });

  it('names its plan in a header', async () => {
    const answer = await fetch(`${gateway.baseUrl}/models?limit=5`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-gw-plan')).toMatch(/^prod@/);
  });
});

describe('GET /v1/models/{model}', () => {
  it("returns the entry of the list in the form of each vendor's client, without calling a provider", async () => {
    const before = upstream.requests.length;
    expect(await openai().models.retrieve('claude-sonnet-4-5')).toEqual({
      ...{ id: 'claude-sonnet-4-5', object: 'model', created: 0, owned_by: 'anthropic' },
    });
    expect(await anthropic().models.retrieve('gpt-4o')).toMatchObject({ type: 'model', id: 'gpt-4o' });
    const cohere = new CohereClientV2({ environment: gateway.origin, token: 'not-sent' });
    expect(await cohere.models.get('gpt-4o')).toMatchObject({ name: 'gpt-4o' });
    const google = new GoogleGenAI({ apiKey: 'not-sent', httpOptions: { baseUrl: gateway.origin } });
    expect(await google.models.get({ model: 'gpt-4o' })).toMatchObject({ name: 'models/gpt-4o' });
    expect(upstream.requests.length).toBe(before);
  });

  it('returns 404 with the nearest name for a model that no target serves', async () => {
    const before = upstream.requests.length;
    const refused = openai().models.retrieve('gpt-4oo');
    await expect(refused).rejects.toThrow(OpenAI.NotFoundError);
    await expect(refused).rejects.toMatchObject({
      code: 'unknown-model',
      message: expect.stringContaining('Did you mean "gpt-4o"?'),
    });
    await expect(anthropic().models.retrieve('gpt-4oo')).rejects.toThrow(Anthropic.NotFoundError);
    expect(upstream.requests.length).toBe(before);
  });

  it('is passed through if a target accepts any model', async () => {
    await openai(target('openai', undefined)).models.retrieve('ft:gpt-4o:of-us');
    expect(upstream.requests.at(-1)).toMatchObject({ method: 'GET', path: '/v1/models/ft:gpt-4o:of-us' });
    const config = { strategy: { mode: 'fallback' }, targets: [target('openai', 'one'), target('openai', undefined)] };
    expect(await openai(config).models.retrieve('one')).toMatchObject({ id: 'one', owned_by: 'openai' });
    const before = upstream.requests.length;
    await openai(config).models.retrieve('two');
    expect(upstream.requests.slice(before)).toMatchObject([{ path: '/v1/models/two' }]);
  });

  it('finds the models of saved providers if nothing names a provider', async () => {
    const saved = {
      provider: 'groq',
      credential: { api_key: '${env:KEY}' },
      settings: { custom_host: upstream.origin },
    };
    const bare = await startGateway({
      files: {
        'gateway.json': { providers: { team: saved }, prices: { groq: { 'my-model': { input: 1, output: 1 } } } },
      },
      env: { KEY: 'a-key-for-tests' },
    });
    try {
      const client = new OpenAI({ baseURL: bare.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
      expect(await client.models.retrieve('@team/my-model')).toMatchObject({ id: '@team/my-model', owned_by: 'groq' });
      const plain = await fetch(`${bare.baseUrl}/models/@team/my-model`);
      expect(await plain.json()).toMatchObject({ id: '@team/my-model' });
      await expect(client.models.retrieve('@team/my-modle')).rejects.toThrow('Did you mean "@team/my-model"?');
      await expect(client.models.retrieve('another')).rejects.toThrow('send x-gw-provider or x-gw-config');
    } finally {
      await bare.stop();
    }
  });
});
