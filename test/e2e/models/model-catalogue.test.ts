import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { type GatewayProcess, startGateway, writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';

const secret = 'sk-of-the-operator-0123456789';

/** The list of each vendor, by the path of its base URL. */
const answers: Readonly<Record<string, (call: UpstreamCall, query: URLSearchParams) => void>> = {
  '/openai/models': (call) =>
    call.json({
      object: 'list',
      data: [
        { id: 'gpt-own', object: 'model', shutdown_date: '2027-04-01' },
        { id: 'qwen', max_model_len: 32_768 },
        { id: 'llama', context_window: 131_072, max_completion_tokens: 32_768 },
        { id: 'esc\u001b[31m' },
        { object: 'model' },
      ],
    }),
  '/anthropic/models': (call, query) =>
    query.get('after_id') === null
      ? call.json({
          data: [
            {
              ...{
                id: 'claude-own',
                max_input_tokens: 200_000,
                max_tokens: 64_000,
                retires_at: '2027-03-01T00:00:00Z',
              },
              capabilities: { image_input: { supported: true }, pdf_input: { supported: false } },
            },
          ],
          ...{ has_more: true, last_id: 'claude-own' },
        })
      : call.json({ data: [{ id: 'claude-next', capabilities: null }], has_more: false, last_id: 'claude-next' }),
  '/google/models': (call, query) =>
    query.get('pageToken') === null
      ? call.json({
          models: [
            { name: 'models/gemini-own', inputTokenLimit: 1_048_576, outputTokenLimit: 65_536, thinking: true },
            { name: 'models/embed-own', inputTokenLimit: 2048, supportedGenerationMethods: ['embedContent'] },
          ],
          nextPageToken: 'two',
        })
      : call.json({ models: [{ name: 'models/gemini-next' }] }),
  '/cohere/v1/models': (call) =>
    call.json({ models: [{ name: 'rerank-own', endpoints: ['rerank'], context_length: 4096, features: null }] }),
  '/mistral/models': (call) =>
    call.json({
      object: 'list',
      data: [
        {
          ...{ id: 'mistral-own', aliases: ['mistral-own-latest'], max_context_length: 131_072 },
          ...{ capabilities: { completion_chat: true, function_calling: true, vision: false } },
          deprecation: '2027-01-31T12:00:00Z',
        },
      ],
    }),
  '/openrouter/models': (call) =>
    call.json({
      data: [
        {
          ...{ id: 'maker/own', context_length: 262_144, top_provider: { max_completion_tokens: 16_384 } },
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
          ...{ supported_parameters: ['tools', 'structured_outputs'], expiration_date: null },
        },
      ],
    }),
  '/broken/models': (call) => call.json({ object: 'list' }),
  '/refused/models': (call) => call.json({ error: { message: `The key ${secret} is wrong.` } }, { status: 401 }),
};

let upstream: TestUpstream;

beforeAll(async () => {
  process.env.GW_TEST_LIST_KEY = secret;
  upstream = await startUpstream();
  upstream.handle((call) => {
    const { pathname, searchParams } = new URL(call.request.path, upstream.origin);
    const answer = answers[pathname];
    if (answer === undefined) call.json({ error: { message: 'no such page' } }, { status: 404 });
    else answer(call, searchParams);
  });
});
afterAll(async () => {
  delete process.env.GW_TEST_LIST_KEY;
  await upstream.close();
});

const saved = (provider: string, base: string): object => ({
  provider,
  credential: { api_key: '${env:GW_TEST_LIST_KEY}' },
  settings: { custom_host: `${upstream.origin}/${base}` },
});

const savedAll = (): Record<string, object> => ({
  openai: saved('openai', 'openai'),
  claude: saved('anthropic', 'anthropic'),
  gemini: saved('google', 'google'),
  cohere: saved('cohere', 'cohere'),
  mistral: saved('mistral-ai', 'mistral'),
  router: saved('openrouter', 'openrouter'),
});

const models = async (cwd: string, ...argv: readonly string[]): Promise<Record<string, unknown>[]> => {
  const { code, out, err } = await runGw(cwd, ['models', '--format', 'json', ...argv]);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).data;
};

describe('gw models refresh', () => {
  it('reads the lists of providers, each in its own form, and uses them as facts', async () => {
    const folder = writeFolder({ 'gateway.json': { providers: savedAll() } });
    const run = await runGw(folder, ['models', 'refresh']);
    expect(run).toMatchObject({ code: 0, err: '' });
    expect(run.out).toBe(
      [
        ...['@claude: 2 models', '@cohere: 1 models', '@gemini: 3 models', '@mistral: 1 models', '@openai: 3 models'],
        ...['@router: 1 models', 'Written to gateway.models.json.', ''],
      ].join('\n'),
    );
    const known = (
      await Promise.all(Object.keys(savedAll()).map((slug) => models(folder, '--provider', `@${slug}`)))
    ).flat();
    expect(known.every(({ source }) => source === 'provider')).toBe(true);
    expect(Object.fromEntries(known.map(({ model, ...facts }) => [model, facts]))).toMatchObject({
      'gpt-own': { deprecated: '2027-04-01' },
      qwen: { context: 32_768 },
      llama: { context: 131_072, output: 32_768 },
      'claude-own': {
        ...{ context: 200_000, output: 64_000, deprecated: '2027-03-01' },
        ...{ capabilities: ['chat', 'vision'], lacks: ['documents'] },
      },
      'claude-next': { capabilities: ['chat'] },
      'gemini-own': { context: 1_048_576, output: 65_536, capabilities: ['reasoning'] },
      'gemini-next': {},
      'embed-own': { context: 2048, capabilities: ['embeddings'] },
      'rerank-own': { context: 4096, capabilities: ['rerank'], lacks: ['chat', 'embeddings'] },
      'mistral-own': {
        ...{ aliases: ['mistral-own-latest'], context: 131_072, deprecated: '2027-01-31' },
        ...{ capabilities: ['chat', 'tools'], lacks: ['vision'] },
      },
      'maker/own': { context: 262_144, output: 16_384, capabilities: ['chat', 'tools', 'json-schema', 'vision'] },
    });
    const text = readFileSync(path.join(folder, 'gateway.models.json'), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('\u001b');
    // It is no config, although it is in the same folder.
    writeFolder({ 'c.json': { provider: 'echo' } }, folder);
    expect(await runGw(folder, ['check', '.'])).toMatchObject({ code: 0, out: '1 file, nothing to report.\n' });
  });

  it('reports why a provider could not be read, and continues with the others', async () => {
    const providers = {
      good: saved('openai', 'openai'),
      broken: saved('openai', 'broken'),
      refused: saved('openai', 'refused'),
      none: saved('openai', 'nowhere'),
      away: { provider: 'openai', settings: { custom_host: 'http://127.0.0.1:9/v1' } },
      unset: { provider: 'openai', credential: { api_key: '${env:GW_TEST_NOT_SET}' } },
      signed: { provider: 'bedrock', credential: { cloudc_access_key_id: '${env:GW_TEST_LIST_KEY}' } },
    };
    const folder = writeFolder({ 'gateway.json': { providers } });
    const { code, out, err } = await runGw(folder, ['models', 'refresh']);
    expect(code).toBe(1);
    expect(out).toBe('@good: 3 models\nWritten to gateway.models.json.\n');
    expect(err).not.toContain(secret);
    const lines = err.trim().split('\n');
    expect(lines).toContain('gw: @broken was not read. Its answer is not a list of models.');
    expect(lines).toContain('gw: @refused was not read. It refuses the credential (401).');
    expect(lines).toContain('gw: @none was not read. It has no list of models (404).');
    expect(err).toMatch(/gw: @away was not read\. The provider at 127\.0\.0\.1:9 could not be reached/);
    expect(lines).toContain('gw: openai was not read. Its credential is not set.');
  });

  it('keeps the lists that it does not read', async () => {
    const folder = writeFolder({ 'gateway.json': { providers: savedAll() } });
    await runGw(folder, ['models', 'refresh', '--provider', 'claude']);
    await runGw(folder, ['models', 'refresh', '--provider', '@cohere']);
    expect((await models(folder, '--provider', '@claude')).map(({ model }) => model)).toEqual([
      'claude-next',
      'claude-own',
    ]);
    expect((await models(folder, '--provider', '@cohere')).map(({ model }) => model)).toEqual(['rerank-own']);
    expect(await models(folder, '--provider', '@gemini')).toEqual([]);
  });

  it('stops reading a list that never ends', async () => {
    const endless = await startUpstream();
    endless.handle((call) => call.json({ data: [{ id: 'again' }], has_more: true, last_id: 'again' }));
    try {
      const settings = { custom_host: `${endless.origin}/v1` };
      const folder = writeFolder({
        'gateway.json': {
          providers: { e: { provider: 'anthropic', credential: { api_key: '${env:GW_TEST_LIST_KEY}' }, settings } },
        },
      });
      const { code, err } = await runGw(folder, ['models', 'refresh']);
      expect([code, err]).toMatchObject([1, expect.stringContaining('Its list has more than 20 pages.')]);
      expect(endless.requests.length).toBe(20);
    } finally {
      await endless.close();
    }
  });

  it('calls no host of a private network that the operator does not trust', async () => {
    const keys = [{ id: 'a', key: '${env:GW_TEST_LIST_KEY}' }];
    const folder = writeFolder({
      'gateway.json': { auth: { keys }, providers: { openai: saved('openai', 'openai') } },
    });
    const before = upstream.requests.length;
    const { code, err } = await runGw(folder, ['models', 'refresh']);
    expect(code).toBe(1);
    expect(err).toMatch(/127\.0\.0\.1.*GW_TRUSTED_HOSTS/s);
    expect(upstream.requests.length).toBe(before);
  });
});

describe('gw models', () => {
  it('merges the facts of the operator with the built-in ones', async () => {
    const folder = writeFolder({
      'gateway.json': {
        providers: { local: { provider: 'vllm' } },
        model_facts: [
          { provider: 'openai', model: 'gpt-5.5', output: 1000, deprecated: '2030-01-01', as_of: '2026-11-01' },
          { provider: '@local', model: 'qwen', context: 32_768, capabilities: ['chat', 'tools'] },
        ],
      },
    });
    const [facts] = await models(folder, 'gpt-5.5', '--provider', 'openai');
    expect(facts).toMatchObject({ provider: 'openai', context: 1_050_000, output: 1000, deprecated: '2030-01-01' });
    expect(facts).toMatchObject({
      from: {
        output: { source: 'operator', asOf: '2026-11-01' },
        context: { source: 'row' },
        tools: { source: 'row' },
      },
    });
    const [own] = await models(folder, '--provider', '@local');
    expect(own).toMatchObject({ model: 'qwen', capabilities: ['chat', 'tools'] });
    expect(own?.lacks).toContain('vision');
    const able = await models(folder, '--capabilities', 'tools,vision', '--provider', 'openai');
    expect(able.length).toBeGreaterThan(5);
    for (const each of able) expect(each.capabilities).toEqual(expect.arrayContaining(['tools', 'vision']));
  });

  it('lists the models whose name contains a text, or begins or ends with it if it has a * at one end', async () => {
    const folder = writeFolder({ 'gateway.json': {} });
    const namesOf = async (...argv: readonly string[]): Promise<readonly string[]> =>
      (await models(folder, ...argv)).map(({ model }) => String(model));
    const claude = await namesOf('Claude-Opus', '--provider', 'anthropic');
    expect(claude.length).toBeGreaterThan(3);
    expect(claude.every((name) => name.startsWith('claude-opus'))).toBe(true);
    const mini = await namesOf('*-mini', '--provider', 'openai');
    expect(mini).toContain('gpt-5.4-mini');
    expect(mini.filter((name) => !name.endsWith('-mini'))).toEqual([]);
    expect((await runGw(folder, ['models', 'haiku*', '--provider', 'anthropic'])).code).toBe(2);
    expect(await namesOf('haiku', '--provider', 'anthropic')).toContain('claude-haiku-4-5-20251001');
    // A whole name selects one model, even if it is part of other names.
    expect(await namesOf('gpt-5.4', '--provider', 'openai')).toEqual(['gpt-5.4']);
    const { out } = await runGw(folder, ['models', 'claude-opus', '--provider', 'anthropic']);
    expect(out).toMatch(/^PROVIDER +MODEL/);
  });

  it('lists models that may already be shut down at the end, and never suggests them', async () => {
    const model_facts = [
      { provider: '@local', model: 'abc-one', deprecated: '2020-01-01' },
      { provider: '@local', model: 'abc-three-and-more' },
    ];
    const folder = writeFolder({ 'gateway.json': { providers: { local: { provider: 'vllm' } }, model_facts } });
    expect((await models(folder, '--provider', '@local')).map(({ model }) => model)).toEqual([
      ...['abc-three-and-more', 'abc-one'],
    ]);
    const { err } = await runGw(folder, ['models', 'abc-oen', '--provider', '@local']);
    expect(err).toBe('gw: Nothing is known about a model "abc-oen". Run gw models to list all.\n');
    expect((await models(folder, 'abc-one')).length).toBe(1);
  });

  it('notes that an unlisted model may have the capabilities too', async () => {
    const folder = writeFolder({ 'gateway.json': {} });
    const { out, err } = await runGw(folder, ['models', '--capabilities', 'rerank']);
    expect([out, err]).toEqual([
      expect.stringContaining('rerank'),
      expect.stringMatching(
        /^gw: A model that is not listed may support it too.* gw providers kinds NAME lists the operations of a provider\.\n$/,
      ),
    ]);
    expect((await runGw(folder, ['models', '--provider', 'cohere'])).err).toBe('');
    const none = await runGw(folder, ['models', '--capabilities', 'rerank', '--capabilities', 'speech']);
    expect([none.out, none.err]).toEqual([
      '',
      expect.stringMatching(/^gw: No model is known to support all of these: rerank, speech\.\ngw: A model /),
    ]);
  });

  it('shows the prices of a named model, where the gateway file overrides the table', async () => {
    const own = { input: 1.5, output: 3, request: 0.01, tiers: { batch: { input: 0.75, output: 1.5 } } };
    const folder = writeFolder({ 'gateway.json': { prices: { openai: { 'gpt-5.5': own } } } });
    const [priced] = await models(folder, 'gpt-5.5', '--provider', 'openai');
    expect(priced).toMatchObject({
      usd_per_million_tokens: { input: 1.5, output: 3, batch_input: 0.75, batch_output: 1.5 },
      usd_each: { request: 0.01 },
    });
    const [listed] = await models(folder, 'gpt-5.4-mini', '--provider', 'openai');
    expect(listed).toMatchObject({ usd_per_million_tokens: { input: 0.75, cache_read: 0.075, output: 4.5 } });
    const { out } = await runGw(folder, ['models', 'gemini-2.5-pro', '--provider', 'google']);
    expect(out).toContain('price     input: $1.25 for a million tokens\n');
    expect(out).toContain('price     input above 200000: $2.5 for a million tokens\n');
    expect((await runGw(folder, ['models', 'gpt-5.5', '--provider', 'openai'])).out).toContain('request: $0.01 each');
  });

  it('explains where to find the prices of integrations if there is a store or a gateway to query', async () => {
    const stored = writeFolder({ 'gateway.json': { store: { url: 'gateway.db' } } });
    const where = 'Show them: gw integrations models SLUG --format json';
    const { out, err } = await runGw(stored, ['models', 'gpt-5.5', '--provider', 'openai', '--format', 'json']);
    expect([JSON.parse(out).data.length, err]).toEqual([1, expect.stringContaining(where)]);
    const other = writeFolder({ 'gateway.json': {} });
    vi.stubEnv('GW_URL', 'http://127.0.0.1:9');
    const asked = await runGw(other, ['models', 'gpt-5.5']);
    vi.unstubAllEnvs();
    expect(asked.err).toContain(where);
    expect((await runGw(other, ['models', 'gpt-5.5'])).err).toBe('');
    expect((await runGw(stored, ['models', '--provider', 'openai'])).err).toBe('');
  });

  it("shows the prices of a saved provider's models, by what the provider calls", async () => {
    const folder = writeFolder({
      'gateway.json': {
        providers: {
          local: { provider: 'llama-cpp' },
          hosted: { provider: 'openai', credential: { api_key: '${env:GW_TEST_LIST_KEY}' } },
          free: { provider: 'ollama' },
        },
        prices: {
          'llama.cpp': {
            qwen: { input: 1, output: 2 },
            unstated: { input: 5, output: 5 },
            '*': { input: 3, output: 4 },
          },
        },
        model_facts: [
          ...['qwen', 'llama'].map((model) => ({ provider: '@local', model, context: 32_768 })),
          ...['gpt-5.4-mini', 'nobody-knows'].map((model) => ({ provider: '@hosted', model })),
          { provider: '@free', model: 'qwen' },
        ],
      },
    });
    const priced = async (provider: string) =>
      Object.fromEntries(
        await Promise.all(
          (await models(folder, '--provider', provider)).map(async ({ model, prices, context }) => {
            const [shown] = await models(folder, String(model), '--provider', provider);
            return [String(model), { prices, context, usd: shown?.usd_per_million_tokens }] as const;
          }),
        ),
      );
    expect(await priced('@local')).toEqual({
      qwen: { prices: 'gateway file', context: 32_768, usd: { input: 1, output: 2 } },
      llama: { prices: 'gateway file', context: 32_768, usd: { input: 3, output: 4 } },
    });
    expect(await priced('@hosted')).toEqual({
      'gpt-5.4-mini': { prices: 'genai-prices', usd: { input: 0.75, cache_read: 0.075, output: 4.5 } },
      'nobody-knows': {},
    });
    expect(await priced('@free')).toEqual({ qwen: {} });
    const { out } = await runGw(folder, ['models', 'qwen', '--provider', '@local']);
    expect(out).toContain('price     input: $1 for a million tokens\n');
  });

  it.each([
    [['--capabilities', 'tools,visoin'], 'There is no capability "visoin". Did you mean "vision"?'],
    [['--provider', 'opnai'], 'There is no provider "opnai". Did you mean "openai"?'],
    [['gpt-5.55'], 'There is no'],
    [['refresh', '--provider', 'opnai'], 'There is no'],
    [['--format', 'yaml'], 'The flag --format cannot be "yaml"'],
  ])('rejects %j in one line', async (argv, message) => {
    const { code, out, err } = await runGw(writeFolder({ 'gateway.json': {} }), ['models', ...argv]);
    expect([code, out]).toEqual([2, '']);
    if (message !== 'There is no') expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each(['vllm', 'ollama', 'openai-compatible'])(
    'reports that it knows nothing about the models of %s',
    async (provider) => {
      const folder = writeFolder({ 'gateway.json': {} });
      const { code, out, err } = await runGw(folder, ['models', '--provider', provider]);
      expect([code, out]).toEqual([0, '']);
      expect(err).toBe(
        `gw: Nothing is known about the models of ${provider}. Run gw models refresh --provider ${provider} to read the list of a server that the gateway file or its configs name, or state them in "model_facts" of the gateway file.\n`,
      );
      expect(await models(folder, '--provider', provider)).toEqual([]);
    },
  );

  it('lists the models of the vendor for a saved provider without facts of its own', async () => {
    const main = { provider: 'openai', credential: { api_key: '${env:GW_TEST_LIST_KEY}' } };
    const away = { ...main, settings: { custom_host: 'https://models.example.com/v1' } };
    const folder = writeFolder({ 'gateway.json': { providers: { main, away } } });
    expect(await models(folder, '--provider', '@main')).toEqual(await models(folder, '--provider', 'openai'));
    expect(await models(folder, '--provider', '@away')).toEqual([]);
    const model_facts = [{ provider: '@main', model: 'own-1' }];
    const stated = writeFolder({ 'gateway.json': { providers: { main }, model_facts } });
    expect((await models(stated, '--provider', '@main')).map(({ model }) => model)).toEqual(['own-1']);
  });

  it('rejects facts about an unknown provider', async () => {
    const folder = writeFolder({
      'gateway.json': { model_facts: [{ provider: 'opnai', model: 'm' }] },
      'c.json': { provider: 'echo' },
    });
    const { code, out } = await runGw(folder, ['check', 'c.json']);
    expect(code).toBe(1);
    expect(out).toContain('Did you mean "openai"?');
  });

  it('explains how to repair a damaged list file', async () => {
    const folder = writeFolder({ 'gateway.json': {}, 'gateway.models.json': '{"format":9}' });
    const { code, err } = await runGw(folder, ['models']);
    expect([code, err]).toMatchObject([2, expect.stringContaining('gw models refresh')]);
  });
});

describe('gw check and gw explain', () => {
  const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const facts = { provider: '@own', model: 'm', context: 1000, output: 100 };
  const gatewayFile = (deprecated?: string): object => ({
    providers: { own: { provider: 'vllm' } },
    prices: { vllm: { m: { input: 1000, output: 2000 } } },
    model_facts: [{ ...facts, ...(deprecated === undefined ? {} : { deprecated }) }],
  });
  const config = { provider: '@own', retry: { attempts: 1 }, override_params: { model: 'm' } };

  it.each([
    ['long ago', -500, 1],
    ['soon', 89, 1],
    ['later', 92, 0],
  ])('warns of a model that ends %s', async (_, days, warnings) => {
    const folder = writeFolder({ 'gateway.json': gatewayFile(dayIn(days)), 'c.json': config });
    const { code, out } = await runGw(folder, ['check', 'c.json']);
    expect(code).toBe(0);
    expect(out.split('warning[deprecated-model]').length - 1).toBe(warnings);
  });

  it('shows the limits and the highest cost of a model, with the maximum that the config sets', async () => {
    const folder = writeFolder({
      'gateway.json': gatewayFile(),
      'c.json': config,
      'bounded.json': { ...config, override_params: { model: 'm', max_tokens: 10 } },
    });
    const whole = await runGw(folder, ['explain', 'c.json']);
    expect(whole.out).toContain('at most 1,000 tokens of context and 100 of an answer: such a call costs $1.2\n');
    expect(whole.out).toContain('With every call filled, a request costs at most $2.4.\n');
    const bounded = await runGw(folder, ['explain', 'bounded.json', '--format', 'json']);
    expect(JSON.parse(bounded.out).models).toMatchObject({
      targets: [{ context: 1000, output: 10, usd: 1.02 }],
      usd: 2.04,
    });
  });

  it.each([
    ['priority', 2.04],
    ['default', 1.02],
  ])('counts the service tier that the config chooses: %s', async (tier, usd) => {
    const folder = writeFolder({
      'gateway.json': {
        prices: { openai: { m: { input: 1000, output: 2000 } } },
        model_facts: [{ ...facts, provider: 'openai' }],
      },
      'c.json': {
        provider: 'openai',
        forward_headers: ['authorization'],
        override_params: { model: 'm', max_tokens: 10, service_tier: tier },
      },
    });
    const { out } = await runGw(folder, ['explain', 'c.json', '--format', 'json']);
    expect(JSON.parse(out).models).toMatchObject({ targets: [{ usd }], usd });
  });

  it.each([
    ['auto', 'claude-sonnet-4-5', 1.27],
    ['auto', 'not-claude', 1.02],
    ['off', 'claude-sonnet-4-5', 1.02],
  ])('counts writing to a cache if the gateway asks for it: %s for %s', async (prompt_cache, model, usd) => {
    const price = { input: 1000, output: 2000, cache_write: 1250 };
    const folder = writeFolder({
      'gateway.json': {
        prompt_cache,
        prices: { anthropic: { [model]: price } },
        model_facts: [{ provider: 'anthropic', model, context: 1000, output: 10 }],
      },
      'c.json': { provider: 'anthropic', forward_headers: ['x-api-key'], override_params: { model } },
    });
    const { out } = await runGw(folder, ['explain', 'c.json', '--format', 'json']);
    expect(JSON.parse(out).models).toMatchObject({ targets: [{ usd }], usd });
  });
});

describe('GET /v1/models?capabilities=', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGateway({
      files: {
        'gateway.json': {
          configs: 'configs',
          default_config: 'prod',
          providers: { own: saved('openai', 'openai') },
          models: { eyes: 'config:both', some: 'config:prod', quick: '@own/qwen', unknown: '@own/other' },
          model_facts: [
            { provider: 'openai', model: 'sees', capabilities: ['chat', 'tools', 'vision'] },
            { provider: 'openai', model: 'blind', capabilities: ['chat', 'tools'] },
            { provider: '@own', model: 'qwen', capabilities: ['chat', 'tools'] },
          ],
        },
        'configs/prod.json': {
          strategy: { mode: 'fallback' },
          targets: ['sees', 'blind', 'nobody-knows'].map((model) => ({
            ...{ provider: 'openai', api_key: '${env:GW_TEST_LIST_KEY}', override_params: { model } },
          })),
        },
        'configs/own.json': { provider: '@own' },
        'configs/both.json': {
          strategy: { mode: 'loadbalance' },
          targets: ['sees', 'blind'].map((model) => ({
            ...{ provider: 'openai', api_key: '${env:GW_TEST_LIST_KEY}', override_params: { model } },
          })),
        },
      },
      env: { GW_TEST_LIST_KEY: secret },
    });
  });
  afterAll(() => gateway.stop());

  const ids = async (query: string, headers: Record<string, string> = {}): Promise<readonly string[]> => {
    const answer = await fetch(`${gateway.baseUrl}/models${query}`, { headers });
    expect(answer.status).toBe(200);
    const { data } = JSON.parse(await answer.text());
    return data.map(({ id }: { readonly id: string }) => id);
  };

  const ofConfig = { 'x-gw-config': 'prod' };

  it('lists the models of the plan that are known to have all of them', async () => {
    expect(await ids('', ofConfig)).toEqual(['sees', 'blind', 'nobody-knows']);
    expect(await ids('?capabilities=tools', ofConfig)).toEqual(['sees', 'blind']);
    expect(await ids('?capabilities=tools,vision', ofConfig)).toEqual(['sees']);
    expect(await ids('?capabilities=tools&capabilities=vision', ofConfig)).toEqual(['sees']);
    expect(await ids('?capabilities=', ofConfig)).toEqual(['sees', 'blind', 'nobody-knows']);
    expect(await ids('?capabilities=rerank', ofConfig)).toEqual([]);
  });

  it('lists the virtual models whose targets are all known to have all of them', async () => {
    const names = ['eyes', 'some', 'quick', 'unknown'];
    const virtual = async (query: string) => (await ids(query)).filter((id) => names.includes(id));
    expect(await virtual('')).toEqual(names);
    expect(await virtual('?capabilities=tools')).toEqual(['eyes', 'quick']);
    expect(await virtual('?capabilities=tools,vision')).toEqual([]);
    expect(await ids('?capabilities=tools', { 'x-gw-config': 'prod' })).toEqual(['sees', 'blind']);
  });

  it('filters the list that a provider returns, which is requested without the query', async () => {
    expect(await ids('?capabilities=tools&after=x', { 'x-gw-config': 'own' })).toEqual(['qwen']);
    expect(upstream.requests.at(-1)?.path).toBe('/openai/models?after=x');
  });

  it('rejects an unknown capability and suggests the nearest name', async () => {
    const answer = await fetch(`${gateway.baseUrl}/models?capabilities=visoin`);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Did you mean \\"vision\\"?');
  });

  it('uses a list file that is written while the gateway runs', async () => {
    expect(await ids('?capabilities=vision', { 'x-gw-config': 'own' })).toEqual([]);
    const models = [{ model: 'llama', able: ['vision'] }];
    writeFileSync(
      path.join(gateway.folder, 'gateway.models.json'),
      JSON.stringify({ format: 1, providers: { '@own': { as_of: '2026-11-24', models } } }),
    );
    expect(await ids('?capabilities=vision', { 'x-gw-config': 'own' })).toEqual(['llama']);
  });
});

describe('an invalid list file', () => {
  const broken: readonly (readonly [string, string, string])[] = [
    ['not valid JSON', '{ "format": 1, "providers": {', 'are not valid JSON'],
    ['in another format', '{ "format": 2, "providers": {} }', 'have a different format'],
    ['not an object', '[]', 'are not valid JSON'],
  ];
  const files = (lists: string): Record<string, unknown> => ({
    'gateway.json': { providers: { own: saved('openai', 'openai') }, configs: 'configs', default_config: 'own' },
    'configs/own.json': { provider: '@own' },
    'gateway.models.json': lists,
  });
  const listsOf = (model: string): string =>
    JSON.stringify({
      format: 1,
      providers: { '@own': { as_of: '2026-11-24', models: [{ model, able: ['vision'] }] } },
    });

  it.each(broken)('prevents gw serve from starting if it is %s', async (_what, text, why) => {
    const folder = writeFolder(files(text));
    const { code, err } = await runGw(folder, ['serve', '--config', path.join(folder, 'gateway.json'), '--port', '0']);
    expect(code).toBe(1);
    expect(err).toBe(
      `gw: The lists of models in ${path.join(folder, 'gateway.models.json')} ${why}. Recreate them with gw models refresh. Or remove the file.\n`,
    );
  });

  it.each(broken)(
    'does not replace the lists that were read before, if a valid file becomes %s',
    async (what, text, why) => {
      const folder = await startGateway({ files: files(listsOf('llama')), env: { GW_TEST_LIST_KEY: secret } });
      const able = async (): Promise<readonly unknown[]> => {
        const answer = await fetch(`${folder.baseUrl}/models?capabilities=vision`);
        const { data = [] } = JSON.parse(await answer.text());
        return [answer.status, ...data.map(({ id }: { readonly id: string }) => id)];
      };
      const ready = async (): Promise<{ readonly status: string; readonly restart: readonly string[] }> =>
        JSON.parse(await (await fetch(`${folder.origin}/readyz`)).text());
      const write = (lists: string): void => writeFileSync(path.join(folder.folder, 'gateway.models.json'), lists);
      try {
        // In one case nobody has requested the lists yet: those read at the start are enough.
        if (what !== 'no JSON') expect(await able()).toEqual([200, 'llama']);
        write(text);
        await expect.poll(async () => (await ready()).restart.join()).toContain(why);
        expect((await ready()).status).toBe('degraded');
        for (const _again of [1, 2]) expect(await able()).toEqual([200, 'llama']);
        write(listsOf('qwen'));
        expect(await able()).toEqual([200, 'qwen']);
        await expect.poll(async () => (await ready()).status).toBe('ready');
      } finally {
        await folder.stop();
      }
    },
  );
});
