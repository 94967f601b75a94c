import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { deployment, imported, type Made, parsed } from './support.ts';

const whysOf = ({ losses }: Made): readonly string[] => losses.map(({ why }) => why);

describe('prices in a LiteLLM file', () => {
  it('are copied to the gateway file, whether a deployment or its model_info states them', async () => {
    const made = await imported('litellm', {
      model_list: [
        deployment('gpt', {
          ...{ model: 'openai/gpt-5.5', input_cost_per_token: 0.0000003, output_cost_per_token: 0.0000012 },
          cache_read_input_token_cost: 7.5e-8,
        }),
        deployment(
          'own',
          { model: 'azure/own', api_base: 'https://acme.openai.azure.com' },
          {
            model_info: {
              ...{ mode: 'chat', input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 },
              ...{ input_cost_per_token_batches: 1.25e-6, output_cost_per_token_batches: 5e-6 },
            },
          },
        ),
        deployment('vectors', { model: 'mistral/own-embed' }, { model_info: { input_cost_per_token: 1e-7 } }),
      ],
    });
    expect(made.losses).toEqual([]);
    expect(parsed(made, 'gateway.json')).toMatchObject({
      prices: {
        openai: { 'gpt-5.5': { input: 0.3, output: 1.2, cache_read: 0.075 } },
        'azure-openai': { own: { input: 2.5, output: 10, tiers: { batch: { input: 1.25, output: 5 } } } },
        'mistral-ai': { 'own-embed': { input: 0.1, output: 0 } },
      },
    });
    const checked = await runGw(temporaryFolder(made.files), ['check', '--config', 'gateway.json']);
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('nothing to report') });
  });

  it('are noted with advice if another deployment has different ones or they cannot be converted', async () => {
    const priced = (api_base: string, input_cost_per_token: number): object =>
      deployment('gpt', { model: 'openai/a', api_base, input_cost_per_token, output_cost_per_token: 1e-5 });
    const made = await imported('litellm', {
      model_list: [
        ...[priced('https://eu.example/v1', 1e-6), priced('https://us.example/v1', 2e-6)],
        deployment('half', { model: 'openai/b', input_cost_per_token: 0.000001 }),
        deployment('facts', { model: 'openai/c' }, { model_info: { input_cost_per_token: 1e-6, max_tokens: 9 } }),
      ],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({ prices: { openai: { a: { input: 1, output: 10 } } } });
    expect(made.losses.map(({ place }) => place)).toEqual([
      '/model_list/1/litellm_params/input_cost_per_token',
      '/model_list/2/litellm_params/input_cost_per_token',
      '/model_list/3/model_info',
      '/model_list/3/model_info',
    ]);
    expect(made.losses[0]?.instead).toContain('"prices":{"openai":{"a":{"input":2,"output":10}}}');
    expect(whysOf(made).slice(2)).toEqual([
      'Prices are in the gateway file, and these cannot be written there as they are: input_cost_per_token.',
      'Facts of models are in the gateway file (max_tokens).',
    ]);
  });
});

describe('providers in a LiteLLM file', () => {
  const targetOf = async (model: string, more: object = {}): Promise<Made> =>
    imported('litellm', { model_list: [{ model_name: 'a', litellm_params: { model, ...more } }] });

  it.each([
    ['ai21_chat/jamba', 'ai21', 'AI21_API_KEY'],
    ['cerebras/a', 'cerebras', 'CEREBRAS_API_KEY'],
    ['cohere_chat/a', 'cohere', 'COHERE_API_KEY'],
    ['deepinfra/a', 'deepinfra', 'DEEPINFRA_API_KEY'],
    ['deepseek/a', 'deepseek', 'DEEPSEEK_API_KEY'],
    ['fireworks_ai/accounts/fireworks/models/a', 'fireworks-ai', 'FIREWORKS_AI_API_KEY'],
    ['gemini/a', 'google', 'GEMINI_API_KEY'],
    ['groq/a', 'groq', 'GROQ_API_KEY'],
    ['huggingface/a', 'huggingface', 'HUGGINGFACE_API_KEY'],
    ['mistral/a', 'mistral-ai', 'MISTRAL_API_KEY'],
    ['novita/a', 'novita-ai', 'NOVITA_API_KEY'],
    ['nvidia_nim/a', 'nvidia', 'NVIDIA_NIM_API_KEY'],
    ['openrouter/a/b', 'openrouter', 'OPENROUTER_API_KEY'],
    ['perplexity/a', 'perplexity-ai', 'PERPLEXITYAI_API_KEY'],
    ['replicate/a', 'replicate', 'REPLICATE_API_KEY'],
    ['sambanova/a', 'sambanova', 'SAMBANOVA_API_KEY'],
    ['together_ai/a', 'together-ai', 'TOGETHERAI_API_KEY'],
    ['vercel_ai_gateway/a/b', 'vercel', 'VERCEL_AI_GATEWAY_API_KEY'],
    ['xai/a', 'x-ai', 'XAI_API_KEY'],
    ['zai/a', 'z-ai', 'ZAI_API_KEY'],
  ])("are mapped to the local names, with LiteLLM's variables for their keys: %s", async (model, provider, key) => {
    const made = await targetOf(model);
    expect(parsed(made, 'configs/a.json')).toMatchObject({ provider, api_key: `\${env:${key}}` });
    expect(made.losses).toEqual([]);
  });

  it('use the credentials and addresses of the credential list that deployments name', async () => {
    const credential_values = { api_key: 'os.environ/MAIN', api_base: 'https://api.example.com/v1' };
    const named = (name: string): object => ({
      model_name: name,
      litellm_params: { model: 'openai/a', litellm_credential_name: name },
    });
    const made = await imported('litellm', {
      model_list: [named('main'), named('lost')],
      credential_list: [{ credential_name: 'main', credential_values }],
    });
    expect(parsed(made, 'configs/main.json')).toMatchObject({
      ...{ api_key: '${env:MAIN}', custom_host: 'https://api.example.com/v1' },
    });
    expect(made.losses.map(({ place }) => place)).toEqual(['/model_list/1/litellm_params/litellm_credential_name']);
  });

  it('have Hugging Face models with the inference provider as a suffix', async () => {
    const made = await targetOf('huggingface/together/deepseek-ai/DeepSeek-R1');
    expect(parsed(made, 'configs/a.json')).toMatchObject({
      override_params: { model: 'deepseek-ai/DeepSeek-R1:together' },
    });
  });

  it('without a local counterpart are called as openai-compatible', async () => {
    expect(parsed(await targetOf('volcengine/a'), 'configs/a.json')).toEqual({
      ...{ provider: 'openai-compatible', api_key: '${env:VOLCENGINE_API_KEY}', override_params: { model: 'a' } },
      custom_host: 'https://ark.cn-beijing.volces.com/api/v3',
    });
    const custom_host = 'https://adb-1.azuredatabricks.net/serving-endpoints';
    expect(parsed(await targetOf('databricks/a', { api_base: custom_host }), 'configs/a.json')).toMatchObject({
      ...{ provider: 'openai-compatible', api_key: '${env:DATABRICKS_API_KEY}', custom_host },
    });
    const any = await imported('litellm', {
      model_list: [{ model_name: 'databricks/*', litellm_params: { model: 'databricks/*', api_base: custom_host } }],
    });
    expect(parsed(any, 'gateway.json')).toMatchObject({
      providers: { databricks: { provider: 'openai-compatible', settings: { custom_host } } },
    });
  });

  it.each([
    ['databricks/a', '"api_base" is in the variable DATABRICKS_API_BASE', 'Write its value as "api_base"'],
    [
      'clarifai/a',
      'No provider here corresponds to LiteLLM\'s "clarifai". ("clarifai/a")',
      '{"provider":"openai-compatible","custom_host":"https://HOST/v1","api_key":"${env:CLARIFAI_API_KEY}","override_params":{"model":"a"}}',
    ],
    ['own-model', 'This is not a provider and one of its models. ("own-model")', 'Write PROVIDER/MODEL'],
  ])('that cannot be imported are noted with advice: %s', async (model, why, instead) => {
    const made = await imported('litellm', {
      model_list: [{ model_name: 'a', litellm_params: { model } }, deployment('b', { model: 'openai/b' })],
    });
    expect(made.files).not.toHaveProperty('configs/a.json');
    expect(made.losses).toEqual([
      expect.objectContaining({ why: expect.stringContaining(why), instead: expect.stringContaining(instead) }),
    ]);
  });
});
