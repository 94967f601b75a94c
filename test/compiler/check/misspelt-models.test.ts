import { describe, expect, it } from 'vitest';
import { findMisspelt } from '../../../compiler/check/providers/misspelt-names.ts';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { createModelCatalogue } from '../../../runtime/model-catalogue/create-model-catalogue.ts';
import { tableFacts } from '../../../runtime/model-catalogue/table-facts.ts';
import type { FindModelFacts } from '../../../schema/model-facts/find-facts.ts';
import { sampleNumber, thinned } from '../../support/run/sampled-pairs.ts';

const today = '2026-11-24';
const catalogue = buildCatalogue(builtinPlugins);
const providers = builtinPlugins.flatMap((plugin) => plugin.providers ?? []);
const models = createModelCatalogue({ plugins: builtinPlugins, now: () => Date.parse(today) });
const find: FindModelFacts = await models.withoutTable();

const suggested = (provider: string, model: string): string | undefined =>
  compile(JSON.stringify({ provider, api_key: `\${env:KEY}`, override_params: { model } }), {
    trust: 'operator',
    catalogue,
    models: { find, today },
  }).diagnostics.find(({ code }) => code === 'misspelt-model')?.hint;

describe('the warning about a misspelt model', () => {
  it.each([
    ['a chat model', 'openai', 'gtp-4o', 'gpt-4o'],
    ['a chat model with an additional letter', 'openai', 'gpt-4o-minii', 'gpt-4o-mini'],
    ['a chat model with different punctuation', 'anthropic', 'claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['an embedding model', 'openai', 'text-embeding-3-small', 'text-embedding-3-small'],
    ['an image model', 'openai', 'gpt-imagee-1', 'gpt-image-1'],
    ['a transcription model', 'openai', 'whispr-1', 'whisper-1'],
    ['a speech model', 'openai', 'tts1', 'tts-1'],
    ['a speech model with a wrong letter in a short word', 'openai', 'gpt-4o-mini-ttx', 'gpt-4o-mini-tts'],
    ['a model known only from the price table', 'groq', 'llama-3.3-70b-versatil', 'llama-3.3-70b-versatile'],
    ['a moderation model', 'openai', 'omni-moderaton-latest', 'omni-moderation-latest'],
    ['a rerank model', 'cohere', 'rerank-v3-5', 'rerank-v3.5'],
  ])('suggests the name of %s', (_, provider, written, meant) => {
    expect(suggested(provider, written)).toContain(`Did you mean "${meant}"?`);
  });

  it.each([
    ['a dated version', 'openai', 'gpt-4o-mini-tts-2026-12-01'],
    ['a later version', 'openai', 'gpt-9.9-mini'],
    ['a name that starts with a known name', 'openai', 'gpt-4o-mini-tts-turbo'],
    ['a name with another short word of the models of its provider', 'google', 'gemini-2.5-flash-live'],
    ['a model known only from the price table', 'groq', 'llama-3.3-70b-versatile'],
  ])('is not given for %s', (_, provider, model) => {
    expect(suggested(provider, model)).toBeUndefined();
  });

  it('is not given for a known model, unless it differs from another by one letter or mark', async () => {
    const wrong: string[] = [];
    const tried = new Set<string>();
    const all = [...Map.groupBy(await models.list(), ({ provider }) => provider)];
    for (const [provider, facts] of all)
      for (const [at, one] of facts.entries()) {
        if ((at + sampleNumber) % thinned(3) !== 0) continue;
        const others = facts.filter((each) => each !== one).flatMap(({ model, aliases }) => [model, ...aliases]);
        for (const name of [one.model, ...one.aliases]) {
          tried.add(`${provider} ${name}`);
          if (!others.includes(name) && findMisspelt(name, others) !== undefined) wrong.push(`${provider} ${name}`);
        }
      }
    expect(all.flatMap(([, facts]) => facts).length).toBeGreaterThan(1000);
    const alike = [
      'openrouter qwen/qwen-2.5-vl-72b-instruct',
      'openrouter qwen/qwen2.5-vl-72b-instruct',
      'zhipu GLM-4-Air',
    ];
    expect(wrong.sort()).toEqual(alike.filter((name) => tried.has(name)));
  });

  it('is not given for a model of the price table', async () => {
    const wrong: unknown[] = [];
    let found = 0;
    for (const provider of providers)
      for (const { model } of (await tableFacts(provider)).all) {
        if (find(provider.id, model) !== undefined) continue;
        found += 1;
        if ((found + sampleNumber) % thinned(3) !== 0) continue;
        const hint = suggested(provider.id, model);
        if (hint !== undefined) wrong.push([provider.id, model, hint]);
      }
    expect(found).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
