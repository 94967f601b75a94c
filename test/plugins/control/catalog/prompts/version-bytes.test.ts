import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { versionBytes } from '../../../../../plugins/control/catalog/prompts/templates/template.ts';
import { parsed } from './templates/render.ts';

it('versionBytes lets a cache of limited size keep the most recently used versions', () => {
  const text = 'a'.repeat(1000);
  const known = new LRUCache<string, { readonly id: number }>({ maxSize: 10_000 });
  for (let id = 1; id <= 4; id += 1) known.set(String(id), { id }, { size: versionBytes(text, [parsed(text)]) });
  expect(known.get('1')).toEqual({ id: 1 });
  known.set('5', { id: 5 }, { size: versionBytes(text, [parsed(text)]) });
  expect(['1', '2', '3', '4', '5'].map((id) => known.get(id)?.id)).toEqual([1, undefined, 3, 4, 5]);
});

it('versionBytes counts the tags of a template', () => {
  const text = '{{a}}'.repeat(100);
  expect(versionBytes(text, [parsed(text)])).toBeGreaterThan(20_000);
});
