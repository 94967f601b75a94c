import { expect, it } from 'vitest';
import { readTree, type TextFormat } from '../../../compiler/parse/read-tree.ts';

it('readTree applies the rules of each format to the same text', () => {
  const text = '{"a": 1, /* b */ }';
  const isRead = (format: TextFormat): boolean => readTree(text, format).ok;
  expect([isRead('jsonc'), isRead('json'), isRead('jsonc'), isRead('json')]).toEqual([true, false, true, false]);
  expect(readTree('a: 1', 'yaml').ok).toBe(true);
  expect(readTree('a: 1', 'jsonc').ok).toBe(false);
});

it('readTree reads the given text, whatever it read before', () => {
  for (const text of ['{"a": 1}', '{"a": 2}', '{"a": 1}'])
    expect(readTree(text, 'jsonc')).toMatchObject({
      root: { members: [{ name: 'a', value: { value: Number(text.at(-2)) } }] },
    });
});
