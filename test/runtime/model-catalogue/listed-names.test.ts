import { expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { providerModels } from '../../../plugins/providers/provider-models.ts';
import { createModelCatalogue } from '../../../runtime/model-catalogue/create-model-catalogue.ts';

const plugin = { name: 'providers', api: 1, providers: builtinProviders, models: async () => providerModels } as const;

it('the names of a provider include those of the price table, in one list for all saved providers without facts', async () => {
  const { names } = await createModelCatalogue({ plugins: [plugin], settings: {}, now: Date.now }).withoutTable();
  const list = names?.('groq');
  expect(list).toContain('llama-3.3-70b-versatile');
  expect(names?.('groq', 'one')).toBe(list);
  expect(names?.('groq', 'two')).toBe(list);
  expect(names?.('openai', 'one')).not.toContain('llama-3.3-70b-versatile');
});
