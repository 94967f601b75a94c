import { describe, expect, it, onTestFinished } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { deployment, imported, type Made, parsed } from './support.ts';

const key = (name: string): object => ({ provider: name, credential: { api_key: '${env:KEY}' } });
const list = (...models: readonly (readonly [name: string, model: string, more?: object])[]): object => ({
  model_list: models.map(([name, model, more]) => deployment(name, { model, ...more })),
});
const whys = ({ losses }: Made): readonly string[] => losses.map(({ why, instead }) => `${why} ${instead}`);

describe('gw import litellm for wildcard names', () => {
  it('saves a provider under the name by which its models are found', async () => {
    const made = await imported('litellm', list(['anthropic/*', 'anthropic/*'], ['groq/*', '*']));
    expect(parsed(made, 'gateway.json')).toEqual({
      providers: { anthropic: key('anthropic'), groq: key('groq') },
    });
    expect(made.losses).toEqual([]);
    expect(Object.keys(made.files)).toEqual(['gateway.json', '.env.example']);
  });

  it('counts the saved providers if there is no config', async () => {
    const folder = temporaryFolder({ 'a.json': list(['groq/*', 'groq/*']) });
    const { code, out } = await runGw(folder, ['import', 'litellm', 'a.json', '--out', 'out']);
    expect([code, out.split('\n').at(-2)]).toEqual([0, '1 saved provider, nothing lost.']);
  });

  it('collects the keys of several deployments at the same address, and reports those at another', async () => {
    const made = await imported(
      'litellm',
      list(
        ['openai/*', 'openai/*', { weight: 3 }],
        ['openai/*', 'openai/*', { api_key: 'os.environ/OTHER', weight: 1 }],
        ['openai/*', 'openai/*', { api_base: 'https://models.example.com/v1', weight: 1 }],
      ),
    );
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: {
        openai: {
          provider: 'openai',
          keys: [
            { api_key: '${env:KEY}', weight: 3 },
            { api_key: '${env:OTHER}', weight: 1 },
          ],
        },
      },
    });
    expect(made.losses).toEqual([expect.objectContaining({ place: '/model_list/2' })]);
  });

  it('explains how clients reach a provider that has a different name here', async () => {
    const made = await imported('litellm', list(['gemini/*', 'gemini/*'], ['own/*', 'openai/*']));
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: { gemini: key('google'), own: key('openai') },
    });
    expect(whys(made)).toEqual([
      expect.stringContaining('Clients write "@gemini/MODEL" for "gemini/MODEL".'),
      expect.stringContaining('Clients write "@own/MODEL" for "own/MODEL".'),
    ]);
  });

  it('finds Mistral under the name that LiteLLM clients use', async () => {
    const made = await imported('litellm', list(['mistral/*', 'mistral/*']));
    expect(parsed(made, 'gateway.json')).toMatchObject({
      providers: { mistral: key('mistral-ai') },
    });
    expect(made.losses).toEqual([]);
  });

  it('puts the settings and guardrails for all requests into a default config without a provider', async () => {
    const made = await imported('litellm', {
      ...list(['openai/*', 'openai/*', { temperature: 0, guardrails: ['other'] }]),
      guardrails: [
        { guardrail_name: 'pii', litellm_params: { guardrail: 'presidio', mode: 'pre_call', default_on: true } },
      ],
      router_settings: { num_retries: 2, fallbacks: [{ '*': ['openai/gpt-5.5'] }] },
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({ default_config: 'openai', configs: 'configs' });
    expect(parsed(made, 'configs/openai.json')).toEqual({ retry: { attempts: 2 }, input_guardrails: ['pii'] });
    expect(whys(made)).toEqual([
      expect.stringContaining('that name the saved provider in a header, or include a config, bypass the guardrails'),
      expect.stringContaining('The guardrails of this deployment (other) check nothing now'),
      expect.stringContaining('Names of people and places'),
      expect.stringContaining('"temperature" has no counterpart in a saved provider.'),
      expect.stringContaining('"openai/*" find a saved provider by their model, and have no fallback.'),
    ]);
  });

  it('names that config after the only provider in the file, or any-model if there are several', async () => {
    const settings = { router_settings: { num_retries: 2 } };
    const gemini = await imported('litellm', { ...list(['gemini/*', 'gemini/*']), ...settings });
    expect(Object.keys(gemini.files)).toContain('configs/gemini.json');
    expect(parsed(gemini, 'gateway.json')).toMatchObject({ default_config: 'gemini' });
    const several = { ...list(['gemini/*', 'gemini/*'], ['openai/*', 'openai/*']), ...settings };
    expect(Object.keys((await imported('litellm', several)).files)).toContain('configs/any-model.json');
  });

  it('sends all models to the provider of a single star, followed by the default fallbacks', async () => {
    const made = await imported('litellm', {
      ...list(['*', 'openai/*'], ['gpt', 'groq/one']),
      litellm_settings: { default_fallbacks: ['gpt'] },
    });
    expect(parsed(made, 'configs/any-model.json')).toMatchObject({
      strategy: { mode: 'fallback' },
      targets: [{ provider: '@openai' }, { name: 'gpt', provider: 'groq' }],
    });
    const several = await imported('litellm', list(['*', 'openai/*'], ['groq/*', 'groq/*']));
    expect(parsed(several, 'gateway.json')).not.toHaveProperty('default_config');
    expect(whys(several)).toEqual([expect.stringContaining('Clients write "@openai/MODEL".')]);
    const none = await imported('litellm', list(['*', '*'], ['gpt', 'groq/one']));
    expect(whys(none)).toEqual([expect.stringContaining('any model of any provider')]);
  });

  it('uses one of its models as a fallback and for an alias', async () => {
    const made = await imported('litellm', {
      ...list(['openai/*', 'openai/*'], ['gpt', 'groq/one']),
      router_settings: { fallbacks: [{ gpt: ['openai/gpt-5.5'] }], model_group_alias: { fast: 'openai/gpt-5.4-mini' } },
    });
    expect(made.losses).toEqual([]);
    expect(parsed(made, 'configs/gpt.json')).toMatchObject({
      targets: [{ provider: 'groq' }, { provider: '@openai', override_params: { model: 'gpt-5.5' } }],
    });
    expect(parsed(made, 'gateway.json')).toMatchObject({ models: { fast: 'config:openai-gpt-5-4-mini' } });
  });

  it('leaves out names that match only some models, and hosts in variables', async () => {
    const made = await imported(
      'litellm',
      list(
        ['claude-*', 'anthropic/claude-*'],
        ['own/*', 'openai/*', { api_base: 'os.environ/B' }],
        ['gpt', 'groq/one'],
      ),
    );
    expect(parsed(made, 'gateway.json')).not.toHaveProperty('providers');
    expect(whys(made)).toEqual([
      expect.stringContaining('A name with a star means several models'),
      expect.stringContaining('"api_base" is in the variable B'),
    ]);
  });

  it('keeps the default config of one of several files, and reports the others', async () => {
    const file = (name: string): object => ({
      ...list([`${name}/*`, `${name}/*`]),
      router_settings: { num_retries: 1 },
    });
    const folder = temporaryFolder({ 'a.json': file('openai'), 'b.json': file('groq') });
    const { out } = await runGw(folder, ['import', 'litellm', 'a.json', 'b.json', '--format', 'json']);
    const made: Made = JSON.parse(out);
    expect(parsed(made, 'gateway.json')).toMatchObject({ default_config: 'openai' });
    expect(whys(made)).toEqual([expect.stringContaining('Compare configs/groq.json with it')]);
  });

  it('serves any of its models with the settings of the file', async () => {
    const upstream = await startUpstream(({ json }) => json(openaiAnswer({ text: 'Served.' })));
    onTestFinished(() => upstream.close());
    const own = { api_base: `${upstream.origin}/v1`, api_key: 'sk-literal' };
    const source = {
      ...list(['openai/*', 'openai/*', own], ['mistral/*', 'mistral/*', own], ['gpt', 'openai/gpt-5.5', own]),
      guardrails: [
        {
          guardrail_name: 'pii',
          litellm_params: {
            ...{ guardrail: 'presidio', mode: 'pre_call', default_on: true },
            pii_entities_config: { EMAIL_ADDRESS: 'MASK' },
          },
        },
      ],
    };
    const { files } = await imported('litellm', source);
    const gateway = await startGateway({ files, env: { API_KEY_OF_127_0_0_1: 'sk-of-the-operator' } });
    onTestFinished(() => gateway.stop());
    const ask = async (model: string): Promise<string> => {
      const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'I am ann@example.org.' }] }),
      });
      return answer.text();
    };
    for (const model of ['openai/anything', 'mistral/any', 'gpt']) expect(await ask(model)).toContain('Served.');
    expect(upstream.requests.map(({ body }) => JSON.parse(body.toString()))).toEqual(
      ['anything', 'any', 'gpt-5.5'].map((model) => ({
        model,
        messages: [{ role: 'user', content: 'I am [EMAIL].' }],
      })),
    );
    expect(upstream.requests.map(({ rawHeaders }) => rawHeaders)).toEqual(
      Array.from({ length: 3 }, () => expect.arrayContaining(['Bearer sk-of-the-operator'])),
    );
    expect(JSON.parse(await ask('gemni-flash'))).toMatchObject({
      error: {
        code: 'missing-provider',
        message: expect.stringContaining(
          'The model "gemni-flash" names none. Send x-gw-config, x-gw-virtual-key, or x-gw-provider with Authorization, or write the model as provider/gemni-flash or @slug/gemni-flash, with a saved provider. GET /v1/models lists',
        ),
      },
    });
  });
});
