import { expect, it } from 'vitest';
import { factsFileText, type ProviderLists, parseFactsFile } from '../../../runtime/model-catalogue/facts-file.ts';

const lists: ProviderLists = {
  '@local': {
    asOf: '2026-11-24',
    models: [{ model: 'q', aliases: [], context: 5, able: ['tools'], unable: ['vision'] }],
  },
  openai: { asOf: '2026-11-23', models: [] },
};

it('a facts file is read as it was written', () => {
  expect(parseFactsFile(factsFileText(lists), 'f')).toEqual(lists);
});

it.each(['{', '[]', '{}', '{"format":2,"providers":{}}', '{"format":1,"providers":[]}'])(
  'a facts file with other content is rejected with a remedy: %s',
  (text) => expect(() => parseFactsFile(text, 'f.json')).toThrow(/f\.json .* Recreate them with gw models refresh\./),
);

it('entries of a facts file that are not models or capabilities are omitted', () => {
  const text =
    '{"format":1,"providers":{"p":{"as_of":"2026-11-24","models":[{"model":7},3,{"model":"m","able":["tools","fly"]}]}}}';
  expect(parseFactsFile(text, 'f').p?.models).toMatchObject([{ model: 'm', able: ['tools'] }]);
});
