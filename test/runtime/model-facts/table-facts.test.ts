import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { priceTable, tableFacts } from '../../../runtime/model-facts/table-facts.ts';

it('dates the version of the price table that is installed', () => {
  const main = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(main), '..', 'package.json'), 'utf8'));
  expect(priceTable.version).toBe(version);
});

it('knows contexts and prices by a name of the table, and by one that it only matches', async () => {
  const table = await tableFacts({ id: 'openai' });
  expect(table.all.find(({ model }) => model === 'gpt-4o')).toMatchObject({ context: 128_000, prices: 'genai-prices' });
  expect(table.find('gpt-4o-2024-08-06')).toMatchObject({ model: 'gpt-4o-2024-08-06', source: 'table' });
  expect(table.find('no-such-model')).toBeUndefined();
});

it('takes no provider for another whose name is in its own', async () => {
  expect((await tableFacts({ id: 'openai-compatible' })).all).toEqual([]);
});
