import { describe, expect, it, onTestFinished } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { imported, type Made, parsed } from './support.ts';

const whys = ({ losses }: Made): readonly string[] => losses.map(({ why, instead }) => `${why} ${instead}`);

/** An Azure key with its own endpoint. */
const azureKey = (name: string, endpoint: string, more: object = {}): object => ({
  name,
  value: `env.${name.toUpperCase()}_KEY`,
  models: ['gpt-5.4'],
  azure_key_config: { endpoint },
  ...more,
});

/** Expects that the created files are valid and that `gw check` warns only with these codes. */
const expectClean = async ({ files }: Made, ...warned: readonly string[]): Promise<void> => {
  const { code, out } = await runGw(temporaryFolder(files), ['check', 'configs']);
  expect(code).toBe(0);
  expect([...out.matchAll(/^warning\[(.+?)\]/gm)].map(([, found]) => found)).toEqual(warned);
};

const allowing = (
  ...configs: readonly (readonly [provider: string, models?: readonly string[], weight?: number])[]
) => ({
  governance: {
    virtual_keys: [
      {
        name: 'team',
        provider_configs: configs.map(([provider, allowed_models, weight = 1]) => ({
          provider,
          weight,
          ...(allowed_models === undefined ? {} : { allowed_models }),
        })),
      },
    ],
  },
});

const keyed = (...names: readonly string[]): object => ({
  providers: Object.fromEntries(names.map((name) => [name, { keys: [{ value: `env.${name.toUpperCase()}_KEY` }] }])),
});

describe('gw import bifrost for Azure keys', () => {
  it('creates a target for each endpoint, weighted by its keys', async () => {
    const made = await imported('bifrost', {
      providers: {
        azure: {
          keys: [
            azureKey('east', 'https://east.openai.azure.com', { weight: 0.5 }),
            azureKey('west', 'https://west.cognitiveservices.azure.com/', { weight: 0.25 }),
            azureKey('spare', 'https://east.openai.azure.com', { weight: 0.25, models: ['gpt-5.5'] }),
          ],
          network_config: { max_retries: 1 },
        },
      },
    });
    const east = { resource_name: 'east', retry: { attempts: 1 } };
    const west = {
      name: 'west',
      weight: 0.25,
      provider: 'azure-openai',
      api_key: '${env:WEST_KEY}',
      custom_host: 'https://west.cognitiveservices.azure.com/openai',
      retry: { attempts: 1 },
    };
    expect(parsed(made, 'configs/azure.json')).toEqual({
      strategy: { mode: 'loadbalance' },
      targets: [
        {
          ...{ name: 'east', weight: 0.75, provider: 'azure-openai', ...east },
          keys: [
            { api_key: '${env:EAST_KEY}', weight: 0.5 },
            { api_key: '${env:SPARE_KEY}', weight: 0.25 },
          ],
        },
        west,
      ],
    });
    const override_params = { model: 'gpt-5.4' };
    expect(parsed(made, 'configs/azure-gpt-5-4.json')).toEqual({
      strategy: { mode: 'loadbalance' },
      targets: [
        {
          ...{ name: 'east', weight: 0.5, provider: 'azure-openai', ...east, override_params },
          api_key: '${env:EAST_KEY}',
        },
        { ...west, override_params },
      ],
    });
    expect(parsed(made, 'configs/azure-gpt-5-5.json')).toEqual({
      ...{ provider: 'azure-openai', api_key: '${env:SPARE_KEY}', ...east },
      override_params: { model: 'gpt-5.5' },
    });
    expect(made.losses).toEqual([]);
    // As in Bifrost, requests for the provider itself name a deployment.
    await expectClean(made, 'missing-deployment');
  });

  it('keeps targets with endpoints in variables separate, and reports that the endpoints are omitted', async () => {
    const made = await imported('bifrost', {
      providers: { azure: { keys: [azureKey('east', 'env.EAST'), azureKey('west', 'env.WEST')] } },
    });
    expect(parsed(made, 'configs/azure.json')).toMatchObject({
      targets: [{ api_key: '${env:EAST_KEY}' }, { api_key: '${env:WEST_KEY}' }],
    });
    expect(made.losses).toContainEqual(
      expect.objectContaining({
        place: '/providers/azure/keys/1/azure_key_config/endpoint',
        why: 'The endpoint is in the variable WEST, but only secrets can be references here.',
      }),
    );
  });
});

describe('gw import bifrost for a network configuration', () => {
  it('reports the place of more retries than a config can have', async () => {
    const made = await imported('bifrost', {
      providers: { openai: { keys: [{ value: 'env.KEY' }], network_config: { max_retries: 9 } } },
    });
    expect(parsed(made, 'configs/openai.json')).toMatchObject({ retry: { attempts: 5 } });
    expect(made.losses.map(({ place }) => place)).toEqual(['/providers/openai/network_config/max_retries']);
  });
});

describe('gw import bifrost for a virtual key', () => {
  it('sends each model to the providers that allow it, and rejects other models', async () => {
    const made = await imported('bifrost', {
      ...keyed('openai', 'groq'),
      ...allowing(['openai', ['gpt-5.4', 'gpt-5.4-mini'], 0.2], ['groq', ['gpt-5.4'], 0.8]),
    });
    expect(parsed(made, 'configs/team.json')).toEqual({
      input_guardrails: [{ 'default.modelWhitelist': { models: ['gpt-5.4', 'gpt-5.4-mini'] }, deny: true }],
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'params.model': 'gpt-5.4' }, then: 'openai-or-groq' }],
        default: 'openai',
      },
      targets: [
        {
          name: 'openai-or-groq',
          strategy: { mode: 'loadbalance' },
          targets: [
            { name: 'openai-or-groq-openai', provider: 'openai', api_key: '${env:OPENAI_KEY}', weight: 0.2 },
            { name: 'openai-or-groq-groq', provider: 'groq', api_key: '${env:GROQ_KEY}', weight: 0.8 },
          ],
        },
        { name: 'openai', provider: 'openai', api_key: '${env:OPENAI_KEY}' },
      ],
    });
    expect(made.losses).toEqual([]);
    await expectClean(made);
  });

  it('sends a model that no list contains to the providers without a list', async () => {
    const made = await imported('bifrost', {
      ...keyed('openai', 'groq'),
      ...allowing(['openai', ['gpt-5.4', 'gpt-5.5']], ['groq', ['*']]),
    });
    expect(parsed(made, 'configs/team.json')).toMatchObject({
      strategy: {
        conditions: [{ query: { 'params.model': { $in: ['gpt-5.4', 'gpt-5.5'] } }, then: 'openai-or-groq' }],
        default: 'groq',
      },
    });
    expect(parsed(made, 'configs/team.json')).not.toHaveProperty('input_guardrails');
    await expectClean(made);
  });

  it('creates one target with the allowed models if there is only one provider', async () => {
    const made = await imported('bifrost', { ...keyed('openai'), ...allowing(['openai', ['gpt-5.4']]) });
    expect(parsed(made, 'configs/team.json')).toEqual({
      input_guardrails: [{ 'default.modelWhitelist': { models: ['gpt-5.4'] }, deny: true }],
      provider: 'openai',
      api_key: '${env:OPENAI_KEY}',
    });
    await expectClean(made);
  });

  it('sends each model with the keys that list it, even if they belong to one provider', async () => {
    const keys = [
      { value: 'env.MINI_KEY', models: ['gpt-5.4-mini'] },
      { value: 'env.BIG_KEY', models: ['gpt-5.5', 'gpt-5.4'] },
    ];
    const made = await imported('bifrost', {
      providers: { openai: { keys } },
      ...allowing(['openai', ['gpt-5.4-mini', 'gpt-5.5', 'gpt-5.4']]),
    });
    expect(parsed(made, 'configs/team.json')).toMatchObject({
      strategy: { conditions: [{ query: { 'params.model': 'gpt-5.4-mini' }, then: 'openai' }], default: 'openai-2' },
      targets: [
        { name: 'openai', provider: 'openai', api_key: '${env:MINI_KEY}' },
        { name: 'openai-2', provider: 'openai', api_key: '${env:BIG_KEY}' },
      ],
    });
    await expectClean(made);
  });

  it('reports a virtual key that is not active, because its config can still be used', async () => {
    const made = await imported('bifrost', {
      ...keyed('openai'),
      governance: { virtual_keys: [{ name: 'team', is_active: false, provider_configs: [{ provider: 'openai' }] }] },
    });
    expect(made.losses.map(({ place }) => place)).toEqual(['/governance/virtual_keys/0/is_active']);
  });

  it('reports what it cannot interpret in an empty list and in patterns', async () => {
    const made = await imported('bifrost', {
      ...keyed('openai', 'groq'),
      ...allowing(['openai', ['gpt-5.4', 'regex:^gpt-4.*']], ['groq', []]),
    });
    expect(whys(made)).toEqual([
      expect.stringContaining('"allowed_models" has patterns, which were not imported: regex:^gpt-4.*.'),
      expect.stringContaining('An empty "allowed_models" allows no model since version 1.5'),
    ]);
  });

  it('names the page that explains how to create its policies', async () => {
    const made = await imported('bifrost', { ...keyed('openai'), governance: { budgets: [{ id: 'a' }] } });
    expect(whys(made)).toEqual([
      expect.stringContaining('docs/recipes/keep-keys-and-configs-in-a-store.md sets GW_URL'),
    ]);
  });

  it('sends each model only to a provider that allows it', async () => {
    const start = async (text: string): Promise<TestUpstream> => {
      const upstream = await startUpstream(({ json }) => json(openaiAnswer({ text })));
      onTestFinished(() => upstream.close());
      return upstream;
    };
    const [first, second] = await Promise.all([start('First.'), start('Second.')]);
    const provider = (upstream: TestUpstream): object => ({
      keys: [{ value: 'env.KEY' }],
      network_config: { base_url: `${upstream.origin}/v1` },
    });
    const made = await imported('bifrost', {
      providers: { openai: provider(first), groq: provider(second) },
      ...allowing(['openai', ['one']], ['groq', ['two']]),
    });
    const gateway = await startGateway({ files: made.files, env: { KEY: 'sk-1' } });
    onTestFinished(() => gateway.stop());
    const ask = async (model: string): Promise<readonly [number, string]> => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-gw-config': 'team' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }),
      });
      return [answer.status, await answer.text()];
    };
    for (const at of [1, 2, 3]) {
      expect(await ask('one'), String(at)).toEqual([200, expect.stringContaining('First.')]);
      expect(await ask('two'), String(at)).toEqual([200, expect.stringContaining('Second.')]);
    }
    expect((await ask('three'))[0]).toBe(446);
    expect([first.requests.length, second.requests.length]).toEqual([3, 3]);
  });
});
