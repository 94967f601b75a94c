import { describe, expect, it } from 'vitest';
import { deployment, imported, type Made, parsed } from './support.ts';

const list = [
  deployment('chat', { model: 'openai/gpt-5.5' }),
  deployment('spare', { model: 'anthropic/claude-sonnet-5' }),
  deployment('vectors', { model: 'openai/text-embedding-3-small' }),
  deployment('own-vectors', { model: 'openai/own' }, { model_info: { mode: 'embedding' } }),
  deployment('embed-chat', { model: 'openai/embedded-chat' }, { model_info: { mode: 'chat' } }),
];

const modelsOf = (made: Made, config: string): readonly string[] =>
  [...(made.files[`configs/${config}.json`] ?? '').matchAll(/"model": "([^"]+)"/g)].map(([, model = '']) => model);

describe('fallbacks in a LiteLLM file', () => {
  it('by default lead to models of the same kind, and a note names the others', async () => {
    const made = await imported('litellm', {
      model_list: list,
      litellm_settings: { default_fallbacks: ['spare', 'vectors'] },
    });
    expect(modelsOf(made, 'chat')).toEqual(['gpt-5.5', 'claude-sonnet-5']);
    expect(modelsOf(made, 'embed-chat')).toEqual(['embedded-chat', 'claude-sonnet-5']);
    expect(modelsOf(made, 'vectors')).toEqual(['text-embedding-3-small']);
    expect(modelsOf(made, 'own-vectors')).toEqual(['own', 'text-embedding-3-small']);
    const at = '/litellm_settings/default_fallbacks';
    const leftOut = (fallback: string, model: string, kinds: string): object =>
      expect.objectContaining({
        place: at,
        why: expect.stringContaining(
          `The fallback "${fallback}" of "${model}" is left out: "${model}" is called for ${kinds}`,
        ),
      });
    expect(made.losses).toEqual([
      leftOut('vectors', 'chat', 'conversations, and "vectors" for embeddings.'),
      leftOut('vectors', 'spare', 'conversations'),
      leftOut('spare', 'vectors', 'embeddings, and "spare" for conversations.'),
      leftOut('spare', 'own-vectors', 'embeddings'),
      leftOut('vectors', 'embed-chat', 'conversations'),
    ]);
  });

  it('of a single model also lead only to models of the same kind', async () => {
    const made = await imported('litellm', {
      model_list: list,
      router_settings: { fallbacks: [{ chat: ['own-vectors', 'spare'] }] },
    });
    expect(modelsOf(made, 'chat')).toEqual(['gpt-5.5', 'claude-sonnet-5']);
    expect(made.losses.map(({ place }) => place)).toEqual(['/router_settings/fallbacks/0']);
  });

  it('can be objects with a model, and a note names the parameters that are ignored', async () => {
    const made = await imported('litellm', {
      model_list: list,
      litellm_settings: { fallbacks: [{ chat: [{ model: 'spare', temperature: 0 }, { temperature: 1 }] }] },
      router_settings: { default_fallbacks: 'chat' },
    });
    expect(modelsOf(made, 'chat')).toEqual(['gpt-5.5', 'claude-sonnet-5']);
    expect(modelsOf(made, 'embed-chat')).toEqual(['embedded-chat', 'gpt-5.5']);
    expect(made.losses.filter(({ place }) => place === '/litellm_settings/fallbacks/0').map(({ why }) => why)).toEqual([
      'The fallback "spare" is called with the request as it was sent, without temperature.',
      'A fallback names no model of this file.',
    ]);
  });
});

describe('circuit breakers for a LiteLLM file', () => {
  const source = (router: object): object => ({
    model_list: [
      deployment('one', { model: 'openai/a' }),
      deployment('two', { model: 'openai/b' }),
      deployment('two', { model: 'openai/c' }),
    ],
    router_settings: { fallbacks: [{ one: ['two'] }, { two: ['one'] }], ...router },
  });
  const circuit = { failure_threshold: 4, cooldown_interval: 60_000 };

  it.each([[{ cooldown_time: 60 }], [{ cooldown_time: 60, allowed_fails: 3 }]])(
    'protect only models with several deployments, because LiteLLM never cools down a single one: %j',
    async (router) => {
      const made = await imported('litellm', source(router));
      const [one, two] = [parsed(made, 'configs/one.json'), parsed(made, 'configs/two.json')];
      expect(one).toMatchObject({ targets: [{ name: 'one' }, { name: 'two', cb_config: circuit }] });
      expect(two).toMatchObject({ targets: [{ name: 'two', cb_config: circuit }, { name: 'one' }] });
      expect(JSON.stringify([one, two]).match(/cb_config/g)).toHaveLength(2);
    },
  );

  it('protect all targets if the file allows a different number of failures', async () => {
    const made = await imported('litellm', source({ cooldown_time: 60, allowed_fails: 1 }));
    const one = parsed(made, 'configs/one.json');
    expect(one).toMatchObject({ cb_config: { ...circuit, failure_threshold: 2 } });
    expect(JSON.stringify(one).match(/cb_config/g)).toHaveLength(1);
  });
});
