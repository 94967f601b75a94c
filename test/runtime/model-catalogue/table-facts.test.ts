import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { priceTable, tableFacts } from '../../../runtime/model-catalogue/table-facts.ts';

it('the dated price table is the installed version', () => {
  const main = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(main), '..', 'package.json'), 'utf8'));
  expect(priceTable.version).toBe(version);
});

it('the price table has contexts and prices for its own names, and for names that only match them', async () => {
  const table = await tableFacts({ id: 'openai' });
  expect(table.all.find(({ model }) => model === 'gpt-4o')).toMatchObject({ context: 128_000, prices: 'genai-prices' });
  expect(table.find('gpt-4o-2024-08-06')).toMatchObject({ model: 'gpt-4o-2024-08-06', source: 'table' });
  expect(table.find('no-such-model')).toBeUndefined();
});

it('a provider does not get the facts of one whose name its own contains', async () => {
  expect((await tableFacts({ id: 'openai-compatible' })).all).toEqual([]);
});

it('the price table lists only whole models, by the name of the rule if the row has another one', async () => {
  const openai = (await tableFacts({ id: 'openai' })).all;
  const names = openai.map(({ model }) => model);
  expect(names).toContain('gpt-4o');
  expect(names.filter((name) => name.startsWith('ft:') || name.includes('.ft-'))).toEqual([]);
  expect(openai.find(({ model }) => model === 'moderation')).toMatchObject({ mayBePart: true });
  const fireworks = (await tableFacts({ id: 'fireworks-ai', listedAs: 'fireworks' })).all.map(({ model }) => model);
  expect(fireworks.length).toBeGreaterThan(20);
  expect(fireworks.filter((name) => !name.startsWith('accounts/fireworks/'))).toEqual([]);
});

it('every name of a provider matches its own row, and does not end before its version', async () => {
  for (const provider of builtinProviders) {
    const { id } = provider;
    const { all, find } = await tableFacts(provider);
    for (const { model, row } of all) {
      expect(find(model)?.row, `${id}: ${model}`).toBeDefined();
      expect([id, row, model]).toEqual([id, row, expect.stringMatching(/[^-.:/@_]$/)]);
    }
  }
});
