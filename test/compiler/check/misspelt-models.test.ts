import { describe, expect, it } from 'vitest';
import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { createModelCatalogue } from '../../../runtime/model-facts/create-model-catalogue.ts';
import { tableFacts } from '../../../runtime/model-facts/table-facts.ts';
import type { FindModelFacts } from '../../../schema/model-facts/find-facts.ts';

const today = '2026-11-24';
const catalogue = buildCatalogue(builtinPlugins);
const providers = builtinPlugins.flatMap((plugin) => plugin.providers ?? []);
const find: FindModelFacts = await createModelCatalogue({
  plugins: builtinPlugins,
  now: () => Date.parse(today),
}).withoutTable();

const suggested = (provider: string, model: string): string | undefined =>
  compile(JSON.stringify({ provider, api_key: `\${env:KEY}`, override_params: { model } }), {
    trust: 'operator',
    catalogue,
    models: { find, today },
  }).diagnostics.find(({ code }) => code === 'misspelt-model')?.hint;

describe('the warning of a misspelt model', () => {
  it.each([
    ['a chat model', 'openai', 'gtp-4o', 'gpt-4o'],
    ['a chat model with a letter more', 'openai', 'gpt-4o-minii', 'gpt-4o-mini'],
    ['a chat model with other marks', 'anthropic', 'claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['an embedding model', 'openai', 'text-embeding-3-small', 'text-embedding-3-small'],
    ['a model of images', 'openai', 'gpt-imagee-1', 'gpt-image-1'],
    ['a model that transcribes', 'openai', 'whispr-1', 'whisper-1'],
    ['a model that speaks', 'openai', 'tts1', 'tts-1'],
    ['a model that moderates', 'openai', 'omni-moderaton-latest', 'omni-moderation-latest'],
    ['a model that ranks', 'cohere', 'rerank-v3-5', 'rerank-v3.5'],
  ])('names %s', (_, provider, written, meant) => {
    expect(suggested(provider, written)).toContain(`Did you mean "${meant}"?`);
  });

  it('takes no model of the price table for a misspelt one of those that are stated', async () => {
    const wrong: unknown[] = [];
    let tried = 0;
    for (const provider of providers)
      for (const { model } of (await tableFacts(provider)).all) {
        if (find(provider.id, model) !== undefined) continue;
        tried += 1;
        const hint = suggested(provider.id, model);
        if (hint !== undefined) wrong.push([provider.id, model, hint]);
      }
    expect(tried).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  });
});
