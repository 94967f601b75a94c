import { expect, it } from 'vitest';
import { createVersionCache } from '../../../../../plugins/control/catalog/prompts/store/version-cache.ts';
import { parsed } from './templates/render.ts';

it('keeps the versions that were used last, of so many bytes', () => {
  const text = 'a'.repeat(1000);
  const kept = createVersionCache<{ readonly id: number }>(10_000);
  for (let id = 1; id <= 4; id += 1) kept.set(String(id), { id }, { text, templates: [parsed(text)] });
  expect(kept.get('1')).toEqual({ id: 1 });
  kept.set('5', { id: 5 }, { text, templates: [parsed(text)] });
  expect(['1', '2', '3', '4', '5'].map((id) => kept.get(id)?.id)).toEqual([1, undefined, 3, 4, 5]);
});

it('counts the tags, and does not keep what alone is too large', () => {
  const text = '{{a}}'.repeat(100);
  const kept = createVersionCache<{ readonly id: number }>(10_000);
  kept.set('1', { id: 1 }, { text, templates: [parsed(text)] });
  expect(kept.get('1')).toBeUndefined();
});
