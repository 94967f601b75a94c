import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deployment, imported, parsed } from './support.ts';

const azure = (params: object): object => deployment('gpt', { model: 'azure/gpt-4o', ...params });

describe('gw import litellm for Azure models', () => {
  it.each([
    ['https://acme-apim.azure-api.net/', 'https://acme-apim.azure-api.net/openai'],
    ['https://acme-apim.azure-api.net/team/', 'https://acme-apim.azure-api.net/team/openai'],
    ['https://acme-apim.azure-api.net/openai/', 'https://acme-apim.azure-api.net/openai'],
    ['https://acme.cognitiveservices.azure.com/', 'https://acme.cognitiveservices.azure.com/openai'],
    ['https://acme.services.ai.azure.com', 'https://acme.services.ai.azure.com/openai'],
  ])('sends requests below /openai of %s, as LiteLLM does', async (api_base, custom_host) => {
    const made = await imported('litellm', { model_list: [azure({ api_base })] });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      ...{ provider: 'azure-openai', custom_host, deployment_id: 'gpt-4o', api_version: '2024-10-21' },
    });
    expect(made.losses).toEqual([]);
  });

  it.each([
    ['https://acme.openai.azure.com/openai/deployments/gpt-4o-x', { resource_name: 'acme' }],
    ['https://acme.openai.azure.com/openai/deployments/gpt-4o-x/chat/completions', { resource_name: 'acme' }],
    ['https://apim.example.com/openai/deployments/gpt-4o-x/', { custom_host: 'https://apim.example.com/openai' }],
  ])('uses the deployment in the address %s and keeps the model name', async (api_base, place) => {
    const made = await imported('litellm', { model_list: [azure({ api_base })] });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      ...{ ...place, deployment_id: 'gpt-4o-x', override_params: { model: 'gpt-4o' } },
    });
  });

  it.each([
    ['https://apim.example.com/openai/v1/', {}, 'v1'],
    ['https://apim.example.com/', { api_version: 'preview' }, 'v1'],
    ['https://apim.example.com/openai/deployments/gpt-4o?api-version=2025-01-01', {}, '2025-01-01'],
  ])('reads the API version for %s', async (api_base, more, api_version) => {
    const made = await imported('litellm', { model_list: [azure({ api_base, ...more })] });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      custom_host: 'https://apim.example.com/openai',
      api_version,
    });
  });

  it.each([
    [{}, ['configs/other.json'], undefined],
    [
      { AZURE_API_BASE: 'https://acme.openai.azure.com/', AZURE_API_VERSION: '2025-01-01' },
      ['configs/gpt.json', 'configs/other.json'],
      { resource_name: 'acme', api_version: '2025-01-01', api_key: '${env:AZURE_API_KEY}' },
    ],
  ])('reads an address that the model omits from its variable, with %j in the file', async (stated, files, place) => {
    const made = await imported('litellm', {
      model_list: [azure({ api_key: null }), deployment('other', { model: 'openai/one' })],
      environment_variables: stated,
    });
    expect(
      Object.keys(made.files)
        .filter((name) => name.startsWith('configs/'))
        .sort(),
    ).toEqual(files);
    if (place === undefined)
      expect(made.losses.map(({ why }) => why)).toContainEqual(
        expect.stringContaining('"api_base" is in the variable AZURE_API_BASE'),
      );
    else expect(parsed(made, 'configs/gpt.json')).toMatchObject(place);
  });

  it.each([
    ['https://acme.services.ai.azure.com/', { clouda_foundry_url: 'https://acme.services.ai.azure.com' }],
    [
      'https://acme.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview',
      { clouda_foundry_url: 'https://acme.services.ai.azure.com/models', api_version: '2024-05-01-preview' },
    ],
    [
      'https://acme.services.ai.azure.com/anthropic/v1/messages',
      { clouda_foundry_url: 'https://acme.services.ai.azure.com/anthropic' },
    ],
    [
      'https://acme.services.ai.azure.com/openai/v1/',
      { clouda_foundry_url: 'https://acme.services.ai.azure.com/openai/v1' },
    ],
    [
      'https://acme.services.ai.azure.com/api/projects/one',
      { custom_host: 'https://acme.services.ai.azure.com/api/projects/one' },
    ],
    ['https://one.eastus2.models.ai.azure.com', { custom_host: 'https://one.eastus2.models.ai.azure.com' }],
  ])('uses the Foundry resource of %s', async (api_base, place) => {
    const params = { model: 'azure_ai/DeepSeek-R1', api_base };
    const made = await imported('litellm', { model_list: [deployment('deep', params)] });
    const override_params = { model: 'DeepSeek-R1' };
    if ('custom_host' in place)
      expect(parsed(made, 'configs/deep.json')).toEqual({
        ...{ provider: 'azure-ai', api_key: '${env:KEY}', override_params, ...place },
      });
    else {
      expect(parsed(made, 'configs/deep.json')).toEqual({ provider: '@azure-ai', override_params });
      expect(parsed(made, 'gateway.json')).toMatchObject({
        providers: { 'azure-ai': { provider: 'azure-ai', credential: { api_key: '${env:KEY}' }, settings: place } },
      });
    }
    expect(made.losses).toEqual([]);
  });

  it('copies no query string, because it may be a secret', async () => {
    const api_base = 'https://apim.example.com/?subscription-key=literal';
    const made = await imported('litellm', {
      model_list: [azure({ api_base }), deployment('other', { model: 'openai/one' })],
    });
    expect(JSON.stringify(made)).not.toContain('literal');
    expect(made.files).not.toHaveProperty('configs/gpt.json');
  });

  it('uses the deployment in the address for every model of a wildcard', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('azure/*', { model: 'azure/*', api_base: 'https://acme.openai.azure.com/openai/deployments/all' }),
      ],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: { azure: { settings: { resource_name: 'acme', deployment_id: 'all' } } },
    });
  });

  it('reads an address and a version from variables set in the same file, and a key by its reference', async () => {
    const params = { api_base: 'os.environ/BASE', api_version: 'os.environ/VERSION', api_key: 'os.environ/KEY' };
    const environment_variables = { BASE: 'https://acme.openai.azure.com/', VERSION: '2025-01-01', KEY: 'literal' };
    const made = await imported('litellm', { model_list: [azure(params)], environment_variables });
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      ...{ api_key: '${env:KEY}', resource_name: 'acme', api_version: '2025-01-01' },
    });
    expect(made.losses.map(({ place }) => place)).toEqual(['/environment_variables']);
    expect(JSON.stringify(made)).not.toContain('literal');
  });

  it.each([[{}], [{ BASE: '' }], [{ OTHER: 'https://acme.openai.azure.com/' }]])(
    'skips a target whose address is in a variable that only the machine has: %j',
    async (environment_variables) => {
      vi.stubEnv('BASE', 'https://acme.openai.azure.com/');
      onTestFinished(() => void vi.unstubAllEnvs());
      const made = await imported('litellm', {
        model_list: [azure({ api_base: 'os.environ/BASE' }), deployment('other', { model: 'openai/one' })],
        environment_variables,
      });
      expect(made.files).not.toHaveProperty('configs/gpt.json');
      expect(made.losses.map(({ why }) => why)).toContainEqual(expect.stringContaining('is in the variable BASE'));
    },
  );
});
