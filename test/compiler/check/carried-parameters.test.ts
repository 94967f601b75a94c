import { describe, expect, it } from 'vitest';
import { conversationParameters } from '../../../compiler/capability-gaps/conversation-parameters.ts';
import { compile } from '../../../compiler/compile.ts';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { compiled } from '../../support/plans/compiled.ts';

const code = 'setting-not-carried';

/** Returns the place and provider of each of these findings about a config. */
const listFindings = (config: Json): readonly string[] =>
  compiled(config).diagnostics.flatMap((found) =>
    found.code === code ? [`${found.pointer} ${/"([^"]*)"/.exec(found.message)?.[1]}`] : [],
  );

const target = (provider: string, params: JsonObject, more: JsonObject = {}): JsonObject => ({
  provider,
  api_key: '${env:KEY}',
  override_params: params,
  ...more,
});

const row = (more: Partial<Provider>): Provider => ({
  id: 'acme',
  documentation: 'https://acme.example/docs',
  baseUrl: 'https://acme.example/v1',
  credential: 'none',
  speaks: { messages: '/messages' },
  headers: () => [],
  ...more,
});

/** Returns the parameters that a provider like this is reported not to take. */
const notTaken = (
  provider: Partial<Provider>,
  params: JsonObject,
  dialects: readonly Dialect[] = builtinDialects,
): readonly string[] => {
  const catalogue = buildCatalogue([definePlugin({ name: 'test', providers: [row(provider)], dialects })]);
  const text = JSON.stringify({ provider: 'acme', override_params: params });
  const { diagnostics } = compile(text, { trust: 'operator', catalogue });
  return diagnostics.flatMap((found) => (found.code === code ? [found.pointer.slice('/override_params/'.length)] : []));
};

const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };

describe('a parameter that no request can carry', () => {
  it('is reported where it is stated if a copy inherits it', () => {
    const mirror = { percent: 1, target: { provider: 'anthropic', api_key: '${env:KEY}' } };
    const config = target('openai', { n: 2 }, { mirror });
    expect(listFindings(config)).toEqual(['/override_params/n anthropic']);
    const group = { strategy: { mode: 'loadbalance' }, targets: [config, target('openai', { n: 3 })] };
    expect(listFindings(group)).toEqual(['/targets/0/override_params/n anthropic']);
  });

  it.each<[string, JsonObject]>([
    ['anthropic', { seed: 1 }],
    ['anthropic', { n: 2 }],
    ['anthropic', { logprobs: true }],
    ['anthropic', { logit_bias: { '50256': -100 } }],
    ['anthropic', { response_format: { type: 'json_object' } }],
    ['groq', { logit_bias: { '50256': -100 } }],
    ['groq', { top_logprobs: 2 }],
  ])('is reported for %s: %j', (provider, params) => {
    expect(listFindings(target(provider, params))).toEqual([`/override_params/${Object.keys(params)[0]} ${provider}`]);
  });

  it.each<[string, JsonObject]>([
    // Parameters that the dialect has, with any value: the provider validates values.
    ['anthropic', { temperature: 1.5, top_k: 5, stop: 'END', max_tokens: 1, reasoning_effort: 'low' }],
    ['anthropic', { response_format: schema, parallel_tool_calls: false, service_tier: 'flex' }],
    // Parameters that request only the default behaviour.
    [
      'anthropic',
      { n: 1, presence_penalty: 0, logprobs: false, response_format: { type: 'text' }, modalities: ['text'] },
    ],
    // Parameters that compatible providers add, and those that only one provider has.
    ['openai', { top_k: 5, thinking: { type: 'disabled' } }],
    ['groq', { top_k: 5, seed: 1, n: 2 }],
    ['anthropic', { context_management: {}, container: 'a', metadata: { user_id: 'u' } }],
    // A parameter that is removed, and a value that the parameter cannot have.
    ['anthropic', { seed: null, logprobs: 1 }],
  ])('is not reported for %s if the provider may take it: %j', (provider, params) => {
    expect(listFindings(target(provider, params))).toEqual([]);
  });

  it('is not reported for another host, whose server may take it', () => {
    const host = { custom_host: 'https://claude.example.com/v1' };
    expect(listFindings(target('anthropic', { seed: 1 }, host))).toEqual([]);
    expect(listFindings({ provider: '@local', override_params: { seed: 1 } })).toEqual([]);
  });

  it('is reported where it is set, once for each provider', () => {
    const claude = target('anthropic', { model: 'claude-sonnet-4-5' });
    const config = {
      override_params: { seed: 1 },
      strategy: { mode: 'fallback' },
      targets: [target('openai', { model: 'gpt-4o', n: 2 }), claude, claude, target('anthropic', { n: 2, seed: 3 })],
    };
    expect(listFindings(config)).toEqual([
      '/override_params/seed anthropic',
      '/targets/3/override_params/n anthropic',
      '/targets/3/override_params/seed anthropic',
    ]);
  });

  it('is reported only to operators', () => {
    const config = { provider: 'anthropic', api_key: 'sk', override_params: { seed: 1 } };
    expect(compiled(config, 'caller').diagnostics).toEqual([]);
  });
});

describe('the check of the parameters that a provider takes', () => {
  it('considers every dialect that the provider speaks', () => {
    expect(notTaken({}, { seed: 1 })).toEqual(['seed']);
    expect(notTaken({ speaks: { messages: '/messages', chat: '/chat' } }, { seed: 1 })).toEqual([]);
    expect(notTaken({ speaks: { messages: '/messages', embeddings: '/embeddings' } }, { seed: 1 })).toEqual(['seed']);
    expect(notTaken({ speaks: { embeddings: '/embeddings' } }, { seed: 1 })).toEqual([]);
  });

  it('reports nothing for text completions, which have most of the parameters', () => {
    expect(notTaken({ speaks: { messages: '/messages', completions: '/completions' } }, { seed: 1 })).toEqual([]);
  });

  it('uses the dialects for the model, or all of them if the request names the model', () => {
    const both: Partial<Provider> = {
      speaks: { messages: '/messages', chat: '/chat' },
      dialectsOf: (model) => [model?.startsWith('claude') ? 'messages' : 'chat'],
    };
    expect(notTaken(both, { seed: 1, model: 'claude-x' })).toEqual(['seed']);
    expect(notTaken(both, { seed: 1, model: 'llama-x' })).toEqual([]);
    expect(notTaken(both, { seed: 1 })).toEqual([]);
  });

  it('considers the names of parameters in the dialect that the provider drops', () => {
    const speaks = { chat: '/chat' };
    expect(notTaken({ speaks, drop: ['store', 'seed'] }, { store: true, seed: 1, n: 2 })).toEqual(['store', 'seed']);
    expect(notTaken({ speaks: { cohere: '/chat' }, drop: ['k'] }, { top_k: 5 })).toEqual(['top_k']);
    expect(notTaken({ speaks: { cohere: '/chat' }, drop: ['top_k'] }, { top_k: 5 })).toEqual([]);
  });

  it('considers the losses that the provider declares', () => {
    const losses = [{ member: 'sampling.seed', why: 'Its answers are never the same twice.' }];
    expect(notTaken({ speaks: { chat: '/chat' }, losses }, { seed: 1, n: 2 })).toEqual(['seed']);
  });

  it('ignores parameters that the provider renames itself', () => {
    const adapted: Partial<Provider> = {
      speaks: { chat: '/chat' },
      drop: ['seed'],
      adaptsOwn: ['chat'],
      adapt: ({ seed, ...body }) => (seed === undefined ? body : { ...body, random_seed: seed }),
    };
    expect(notTaken(adapted, { seed: 1 })).toEqual([]);
  });

  it('reports nothing if a codec throws', () => {
    const broken = builtinDialects.map((dialect): Dialect => {
      if (dialect.id !== 'messages' || dialect.conversation === undefined) return dialect;
      const encodeRequest = (): never => {
        throw new Error('broken');
      };
      return { ...dialect, conversation: { ...dialect.conversation, encodeRequest } };
    });
    expect(notTaken({}, { seed: 1 }, broken)).toEqual([]);
  });

  it('calls a codec once for all configs of a catalogue, and again for another catalogue', () => {
    let calls = 0;
    const counting = builtinDialects.map((dialect): Dialect => {
      if (dialect.id !== 'messages' || dialect.conversation === undefined) return dialect;
      const { conversation } = dialect;
      const encodeRequest: typeof conversation.encodeRequest = (...given) => {
        calls += 1;
        return conversation.encodeRequest(...given);
      };
      return { ...dialect, conversation: { ...conversation, encodeRequest } };
    });
    const catalogueOf = (more: Partial<Provider>) =>
      buildCatalogue([definePlugin({ name: 'test', providers: [row(more)], dialects: counting })]);
    const found = (catalogue: ReturnType<typeof catalogueOf>, params: JsonObject): readonly string[] => {
      calls = 0;
      const text = JSON.stringify({ provider: 'acme', override_params: params });
      return compile(text, { trust: 'operator', catalogue }).diagnostics.map((each) => each.code);
    };
    const catalogue = catalogueOf({});
    expect(found(catalogue, { seed: 1 })).toContain(code);
    expect(calls).toBeGreaterThan(0);
    expect(found(catalogue, { seed: 1 })).toContain(code);
    expect(calls).toBe(0);
    // Text completions take a seed, so a provider that serves them may take it.
    const other = catalogueOf({ speaks: { messages: '/messages', completions: '/completions' } });
    expect(found(other, { seed: 1 })).not.toContain(code);
    expect(calls).toBeGreaterThan(0);
    // More than the cache keeps: the results stay right, and the codec is called again.
    for (const length of [1_000_000, 1_000_001, 1_000_002]) found(catalogue, { stop: 'x'.repeat(length) });
    expect(found(catalogue, { seed: 1 })).toContain(code);
    expect(calls).toBeGreaterThan(0);
  });

  it('treats an unknown model like one that takes everything that any model takes', () => {
    const params = Object.keys(conversationParameters);
    const value = (name: string): Json => {
      if (name === 'response_format') return { type: 'json_object' };
      return (
        ['low', 5, true, false, ['audio'], { a: 1 }].find((each) => conversationParameters[name]?.of(each)) ?? null
      );
    };
    const all = Object.fromEntries(params.map((name) => [name, value(name)]));
    const models = [
      'claude-sonnet-4-5',
      'us.anthropic.claude-opus-4-6-v1',
      'amazon.nova-2-lite-v1:0',
      'openai.gpt-oss-20b',
    ];
    for (const { id } of builtinDialects.filter(({ conversation }) => conversation !== undefined)) {
      const unknown = notTaken({ speaks: { [id]: '/x' } }, all);
      for (const model of [...models, 'gemini-2.5-pro', 'gemini-3-pro', 'command-a', 'gpt-5'])
        expect(notTaken({ speaks: { [id]: '/x' } }, { ...all, model })).toEqual(expect.arrayContaining([...unknown]));
    }
  });
});
