import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { litellmConfigs } from './litellm-configs.ts';
import { portkeyConfigs } from './portkey-configs.ts';
import { expectMade } from './support.ts';

interface Imported {
  readonly files: Readonly<Record<string, string>>;
  readonly losses: readonly { readonly line: number; readonly why: string; readonly instead: string }[];
  readonly secrets: readonly { readonly line: number; readonly variable: string }[];
}

const printed = async (kind: string, text: string): Promise<Imported> => {
  const folder = temporaryFolder({ 'source.yaml': text });
  const { code, out, err } = await runGw(folder, ['import', kind, 'source.yaml', '--format', 'json']);
  expectMade({ code, err });
  return JSON.parse(out);
};

/** Imports into a folder and checks the files created there. */
const importAndCheck = async (kind: string, text: string): Promise<string> => {
  const folder = temporaryFolder({ 'source.yaml': text });
  expectMade(await runGw(folder, ['import', kind, 'source.yaml', '--out', 'out']));
  const checked = await runGw(path.join(folder, 'out'), ['check', 'configs']);
  expect([checked.code, checked.err]).toEqual([0, '']);
  return path.join(folder, 'out');
};

const configsIn = (folder: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    readdirSync(path.join(folder, 'configs')).map((name) => [
      name.replace(/\.json$/, ''),
      JSON.parse(readFileSync(path.join(folder, 'configs', name), 'utf8')),
    ]),
  );

const gatewayIn = (folder: string): object => JSON.parse(readFileSync(path.join(folder, 'gateway.json'), 'utf8'));

const all: readonly (readonly [what: string, kind: string, text: string, notes: readonly string[]])[] = [
  ...portkeyConfigs.map(
    ([what, config, notes]) => [`portkey: ${what}`, 'portkey', JSON.stringify(config, undefined, 2), notes] as const,
  ),
  ...litellmConfigs.map(([what, text, notes]) => [`litellm: ${what}`, 'litellm', text, notes] as const),
];

describe('gw import', () => {
  it.each(all)(
    'creates a set-up that passes gw check, and reports what is lost, for %s',
    async (_what, kind, text, notes) => {
      await importAndCheck(kind, text);
      const { losses } = await printed(kind, text);
      expect(losses.map(({ why, instead }) => `${why} ${instead}`)).toEqual(
        notes.map((note) => expect.stringContaining(note)),
      );
      for (const { line, instead } of losses) {
        expect(line).toBeGreaterThan(0);
        expect(instead).toMatch(/\S/);
      }
    },
  );

  it.each(all)('copies no secret, and names the variable for each, for %s', async (_what, kind, text) => {
    const result = await printed(kind, text);
    const made = Object.values(result.files).join('\n');
    const literals = text.match(/[\w-]*literal[\w-]*/gi) ?? [];
    for (const literal of literals) expect(JSON.stringify(result)).not.toContain(literal);
    for (const { variable } of result.secrets) {
      expect(made).toContain(`\${env:${variable}}`);
      expect(result.files['.env.example']).toMatch(new RegExp(`^${variable}=`, 'm'));
    }
  });

  it("writes no value for the gateway's own key, because a forgotten placeholder would be accepted", async () => {
    const source = {
      model_list: [{ model_name: 'a', litellm_params: { model: 'openai/one', api_key: 'os.environ/KEY' } }],
      general_settings: { master_key: 'os.environ/MASTER' },
    };
    const { files } = await printed('litellm', JSON.stringify(source));
    const lines = files['.env.example']?.split('\n').filter((line) => !line.startsWith('#'));
    expect(lines).toEqual(['KEY=replace-me', 'MASTER=', '']);
  });

  it('keeps the meaning of a Portkey config', async () => {
    const [, camel] = portkeyConfigs[2] ?? [];
    const folder = await importAndCheck('portkey', JSON.stringify(camel));
    expect(configsIn(folder)).toEqual({
      source: {
        strategy: { mode: 'loadbalance' },
        request_timeout: 5000,
        targets: [
          {
            provider: 'openai',
            api_key: '${env:OPENAI_API_KEY}',
            override_params: { model: 'gpt-5.4-mini', maxTokens: 3 },
            weight: 0.7,
          },
          { provider: 'groq', api_key: '${env:GROQ_API_KEY}', weight: 0.3 },
        ],
      },
    });
    expect(gatewayIn(folder)).toEqual({ configs: 'configs', default_config: 'source' });
  });

  it("keeps the parameter names of Portkey's checks", async () => {
    const schema = { type: 'object', properties: { fooBar: { type: 'string' } }, required: ['fooBar'] };
    const words = { minWords: 1, maxWords: 9 };
    const input = [{ 'default.webhook': { webhookURL: 'https://judge.example/y' }, deny: true }];
    const hook = { type: 'guardrail', id: 'h2', deny: true, checks: [{ id: 'default.wordCount', parameters: words }] };
    const config = {
      ...{ provider: 'openai', apiKey: 'sk-one-literal', input_guardrails: input, afterRequestHooks: [hook] },
      output_guardrails: [{ 'default.jsonSchema': { schema } }],
    };
    const { losses } = await printed('portkey', JSON.stringify(config));
    expect(losses).toEqual([]);
    const folder = await importAndCheck('portkey', JSON.stringify(config));
    expect(configsIn(folder)).toMatchObject({
      source: {
        input_guardrails: input,
        output_guardrails: [{ 'default.jsonSchema': { schema } }, { 'default.wordCount': words, deny: true }],
      },
    });
  });

  it('creates a virtual model for each LiteLLM model, with its fallbacks, shares and settings', async () => {
    const [, text = ''] = litellmConfigs[1] ?? [];
    const folder = await importAndCheck('litellm', text);
    const { gpt } = configsIn(folder);
    const [eu, us] = [{ provider: '@gpt-1' }, { provider: '@gpt-2' }];
    expect(gpt).toMatchObject({
      strategy: { mode: 'fallback' },
      retry: { attempts: 5 },
      request_timeout: 30_000,
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          cb_config: { failure_threshold: 4, cooldown_interval: 30_000 },
          targets: [
            { weight: 60, targets: [eu, us] },
            { weight: 20, targets: [us, eu] },
          ],
        },
        { provider: 'anthropic', api_key: '${env:ANTHROPIC_API_KEY}', override_params: { model: 'claude-sonnet-5-5' } },
      ],
    });
    const azure = { provider: 'azure-openai', credential: { api_key: '${env:AZURE_KEY}' } };
    expect(gatewayIn(folder)).toMatchObject({
      models: { gpt: 'config:gpt', 'gpt-4': 'config:gpt', backup: 'config:backup' },
      providers: {
        'gpt-1': { ...azure, settings: { resource_name: 'company-eu', deployment_id: 'gpt-eu' } },
        'gpt-2': { ...azure, settings: { resource_name: 'company-us', deployment_id: 'gpt-eu' } },
      },
    });
  });

  it('trusts hosts in private networks, each with its port', async () => {
    const model = (name: string, base: string): object => ({
      model_name: name,
      litellm_params: { model: `hosted_vllm/${name}`, api_base: base },
    });
    const text = JSON.stringify({
      model_list: [
        model('a', 'http://vllm.internal:8000/v1'),
        model('b', 'http://10.0.0.3/v1'),
        model('c', 'https://models.example.com/v1'),
        model('d', 'http://localhost:8001/v1'),
      ],
      general_settings: { master_key: 'os.environ/MASTER' },
    });
    const folder = await importAndCheck('litellm', text);
    expect(gatewayIn(folder)).toMatchObject({ trusted_hosts: ['10.0.0.3:80', 'localhost:8001', 'vllm.internal:8000'] });
    const shown = await runGw(temporaryFolder({ 'source.yaml': text }), ['import', 'litellm', 'source.yaml']);
    expect(shown.out).toContain('callers may name them too: 10.0.0.3:80, localhost:8001, vllm.internal:8000.\n');
    const open = await importAndCheck(
      'litellm',
      JSON.stringify({ model_list: [model('c', 'https://models.example.com/v1')] }),
    );
    expect(gatewayIn(open)).not.toHaveProperty('trusted_hosts');
  });

  it('calls Ollama through its OpenAI-compatible API', async () => {
    const target = { model: 'ollama/llama3', api_base: 'http://localhost:11434' };
    const folder = await importAndCheck(
      'litellm',
      JSON.stringify({ model_list: [{ model_name: 'local', litellm_params: target }] }),
    );
    expect(configsIn(folder)).toMatchObject({
      local: { provider: 'ollama', custom_host: 'http://localhost:11434/v1' },
    });
  });

  it("creates configs and virtual models for Bifrost's providers", async () => {
    const source = {
      $schema: 'https://example.com/schema',
      encryption_key: 'env.BIFROST_KEY',
      client: { enable_logging: true },
      providers: {
        openai: {
          keys: [
            { name: 'a', value: 'env.OPENAI_A', models: ['gpt-5.4-mini'], weight: 0.7 },
            { name: 'b', value: 'sk-literal-secret', models: ['*'], weight: 0.3 },
          ],
          network_config: { default_request_timeout_in_seconds: 30, max_retries: 2, retry_backoff_initial: 1 },
        },
        anthropic: { keys: [{ value: 'env.ANTHROPIC_API_KEY', models: ['*'], weight: 1 }] },
        unheard_of: { keys: [] },
      },
      governance: {
        virtual_keys: [
          {
            id: 'vk',
            name: 'Team',
            value: 'sk-bf-literal-secret',
            provider_configs: [
              { provider: 'openai', weight: 0.8 },
              { provider: 'anthropic', weight: 0.2, allowed_models: ['*'] },
            ],
          },
        ],
        budgets: [],
      },
      plugins: [],
    };
    const text = JSON.stringify(source, undefined, 2);
    const folder = await importAndCheck('bifrost', text);
    expect(configsIn(folder)).toMatchObject({
      openai: {
        provider: 'openai',
        keys: [
          { api_key: '${env:OPENAI_A}', weight: 0.7 },
          { api_key: '${env:OPENAI_API_KEY}', weight: 0.3 },
        ],
        request_timeout: 30_000,
        retry: { attempts: 2 },
      },
      team: {
        strategy: { mode: 'loadbalance' },
        targets: [
          { name: 'openai', weight: 0.8 },
          { name: 'anthropic', weight: 0.2 },
        ],
      },
    });
    expect(gatewayIn(folder)).toMatchObject({ models: { 'openai/gpt-5.4-mini': 'config:openai-gpt-5-4-mini' } });
    const result = await printed('bifrost', text);
    expect(JSON.stringify(result)).not.toContain('literal-secret');
    const whys = result.losses.map(({ why }) => why).join('\n');
    for (const lost of [
      'encryption',
      'Server settings',
      '"retry_backoff_initial"',
      'no provider "unheard_of"',
      '"value" of a virtual key',
      '"budgets"',
      'Plugins of the other',
    ])
      expect(whys.toLowerCase()).toContain(lost.toLowerCase().replace('encryption', 'keys of the other gateway'));
  });

  it("creates a target for each model and provider, in OpenRouter's order", async () => {
    const text = JSON.stringify({
      models: ['a/one', 'b/two'],
      provider: { order: ['together', 'fireworks'], allow_fallbacks: false, data_collection: 'deny' },
      temperature: 0,
      messages: [],
    });
    const folder = await importAndCheck('openrouter', text);
    const target = (model: string, slug: string): object => ({
      provider: 'openrouter',
      override_params: {
        model,
        temperature: 0,
        provider: { data_collection: 'deny', order: [slug], allow_fallbacks: false },
      },
    });
    expect(configsIn(folder)).toMatchObject({
      source: {
        strategy: { mode: 'fallback' },
        targets: [
          target('a/one', 'together'),
          target('a/one', 'fireworks'),
          target('b/two', 'together'),
          target('b/two', 'fireworks'),
        ],
      },
    });
    const open = configsIn(
      await importAndCheck('openrouter', JSON.stringify({ model: 'a/one', provider: { order: ['together'] } })),
    );
    expect(JSON.stringify(open.source)).toContain('"a-one-together"');
    expect(JSON.stringify(open.source)).toContain('"name":"a-one","provider":"openrouter"');
  });

  it('leaves out targets for names that OpenRouter cannot have, and a config that has no others', async () => {
    const folder = temporaryFolder({ 'a.json': { models: ['@own/x', 'a/one', ''] }, 'b.json': { model: '@own/x' } });
    const { out, err } = await runGw(folder, ['import', 'openrouter', 'a.json', 'b.json']);
    expect(out.match(/"provider": "openrouter"/g)).toHaveLength(1);
    expect(out).not.toContain('@own');
    expect(out).toContain('3 targets left out');
    expect(err).toContain('A config is left out: "b".');
  });

  it('reports values of the wrong type, or copies them unchanged', async () => {
    const importOf = async (kind: string, source: object) =>
      (await runGw(temporaryFolder({ 'a.json': source }), ['import', kind, 'a.json'])).out;
    const routing = { models: [5, 'a/one'], provider: { order: 7 } };
    const made = await importOf('openrouter', routing);
    expect(made).toContain('It is not the name of a model.');
    expect(made).toContain('"provider": { "order": 7 }');
    expect(await importOf('openrouter', { models: 'a/one' })).toContain('It is not a list of models.');
    const config = { providers: { openai: { keys: [{ value: 'env.OPENAI_API_KEY' }], network_config: 5 } } };
    expect(await importOf('bifrost', config)).toContain('"network_config" has no counterpart.');
  });

  it.each(['portkey', 'litellm', 'bifrost', 'openrouter'])(
    "treats the names of Object.prototype's members like any others, for %s",
    async (kind) => {
      const members = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
      for (const name of members) {
        const odd = { [name]: name };
        const target = { provider: name, virtual_key: `${name}-key`, ...odd };
        const hook = { id: name, type: 'guardrail', async: true, credentials: odd, checks: [{ id: name }] };
        const text = JSON.stringify({
          ...odd,
          strategy: { mode: name },
          targets: [{ ...target, before_request_hooks: [hook] }, { provider: 'echo' }],
          model_list: [{ model_name: name, litellm_params: { model: `${name}/${name}`, ...odd } }],
          router_settings: { routing_strategy: name, model_group_alias: { alias: name }, ...odd },
          providers: { [name]: { keys: [], ...odd } },
          models: [`${name}/${name}`],
          provider: { order: [name], ...odd },
        });
        const { out, err } = await runGw(temporaryFolder({ 'source.json': text }), ['import', kind, 'source.json']);
        expect(out + err, name).not.toMatch(/native code|fault of its own/);
      }
    },
  );

  it('creates a valid set-up for any file, or reports that it cannot', async () => {
    const names = fc.constantFrom(
      'provider',
      'targets',
      'strategy',
      'mode',
      'api_key',
      'virtual_key',
      'override_params',
      'model',
      'model_list',
      'model_name',
      'litellm_params',
      'router_settings',
      'fallbacks',
      'providers',
      'keys',
      'value',
      'models',
      'order',
      'openai',
      'weight',
      'retry',
      'config',
      'custom_host',
      'api_base',
      'order',
      'cb_config',
      'before_request_hooks',
      'after_request_hooks',
      'checks',
      'credentials',
      'id',
      'deny',
      'async',
      'vertex_service_account_json',
      'vertex_credentials',
      'model_group_alias',
      'general_settings',
      'name',
      'parameters',
      'input_guardrails',
      'default.wordCount',
      'minWords',
    );
    const leaf = fc.oneof(
      fc.constantFrom(
        'openai',
        'openai/*',
        '*',
        'default.wordCount',
        '@openai/x',
        'fallback',
        'loadbalance',
        'os.environ/A',
        'openai/gpt',
        'vertex-ai',
        '',
      ),
      fc.integer({ min: -3, max: 10 }),
      fc.boolean(),
      fc.constant(null),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, tree, { maxKeys: 6 }),
        fc.constantFrom('portkey', 'litellm', 'bifrost', 'openrouter'),
        async (value, kind) => {
          const folder = temporaryFolder({ 'a.json': value as object }, () => {});
          const { code, err } = await runGw(folder, ['import', kind, 'a.json', '--out', 'out']);
          if (code === 2) expect(err).toMatch(/^gw: a\.json looks like a file of |Is it a configuration file of /);
          if (code === 2 || err.startsWith('gw: Nothing in a.json could be imported.')) return;
          expectMade({ code, err });
          // A file that names no model results only in saved providers.
          if (!existsSync(path.join(folder, 'out', 'configs'))) return;
          expect((await runGw(path.join(folder, 'out'), ['check', 'configs'])).code).toBe(0);
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    [
      ['import', 'kong', 'a.json'],
      2,
      'Files of "kong" cannot be imported. Those of portkey, litellm, bifrost, openrouter can.',
    ],
    [['import', 'litelm', 'a.yaml'], 2, 'Files of "litelm" cannot be imported. Did you mean "litellm"?'],
    [['import', 'portkey'], 2, 'gw import requires'],
    [['import', 'portkey', 'none.json'], 2, 'There is no file "none.json".'],
    [['import', 'portkey', 'list.json'], 2, 'list.json contains no object.'],
    [['import', 'portkey', 'bad.json'], 1, 'bad.json:1:'],
    [
      ['import', 'litellm', 'a.json'],
      2,
      'a.json looks like a file of Portkey. Import it as one: gw import portkey a.json',
    ],
    [
      ['import', 'portkey', 'a.json', 'litellm.json'],
      2,
      'litellm.json looks like a file of LiteLLM. Import it as one: gw import litellm litellm.json',
    ],
    [['import', 'portkey', 'bifrost.json'], 2, 'bifrost.json looks like a file of Bifrost.'],
    [['import', 'bifrost', 'openrouter.json'], 2, 'openrouter.json looks like a file of OpenRouter.'],
    [['import', 'litellm', 'none-of-them.json'], 2, 'Is it a configuration file of litellm?'],
    [['import', 'portkey', 'unlike.json'], 1, 'Nothing in unlike.json could be imported. Correct what the notes say'],
    [['import', 'portkey', 'a.json', '--out', '.'], 2, 'gateway.json already exists, so nothing was written.'],
  ])('rejects %j', async (argv, expected, problem) => {
    const folder = temporaryFolder({
      'a.json': { provider: 'echo' },
      'list.json': [1],
      'bad.json': '{ "a": ',
      'bifrost.json': { providers: {} },
      'litellm.json': { model_list: [] },
      'none-of-them.json': {},
      'openrouter.json': { models: ['openai/gpt-5.5'] },
      'unlike.json': { stratgey: { mode: 'single' } },
      'gateway.json': {},
    });
    const { code, out, err } = await runGw(folder, argv);
    expect([code, out + err]).toEqual([expected, expect.stringContaining(problem)]);
  });
});
