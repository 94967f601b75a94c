import { expect, it } from 'vitest';
import { ByModel } from '../../../../runtime/usage/prices/by-model.ts';

it('ByModel finds what was added for a model of a list, and nothing else', () => {
  const found = new ByModel<string>();
  found.add('openai', 'gpt-4o', 'one');
  found.add('azure', 'gpt-4o', 'two');
  expect(found.get('openai', 'gpt-4o')).toBe('one');
  expect(found.get('azure', 'gpt-4o')).toBe('two');
  expect(found.get('azure gpt-4o', '')).toBeUndefined();
  expect(found.get('openai', 'constructor')).toBeUndefined();
});

it('ByModel keeps at most a thousand models', () => {
  const found = new ByModel<number>();
  const names = Array.from({ length: 2500 }, (_, index) => `m${index}`);
  for (const [index, name] of names.entries()) found.add(`list ${index % 7}`, name, index);
  const known = names.filter((name, index) => found.get(`list ${index % 7}`, name) !== undefined);
  expect(known.length).toBeLessThanOrEqual(1000);
  expect(known.at(-1)).toBe('m2499');
});
