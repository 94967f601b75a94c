import { expect, it } from 'vitest';
import { WindowCounts } from '../../../../../plugins/control/kernel/fairness/window-counts.ts';

it('counts within a window for each key, which begins with the first count of that key', () => {
  const counts = new WindowCounts({ windowMs: 1000, maxKeys: 10 });
  counts.add('one', 2, 0);
  counts.add('one', 1, 999);
  counts.add('other', 5, 500);
  expect([counts.of('one', 999), counts.of('other', 999), counts.of('nobody', 999)]).toEqual([3, 5, 0]);
  expect([counts.of('one', 1000), counts.of('other', 1000)]).toEqual([0, 5]);
  counts.add('one', 1, 1000);
  expect([counts.of('one', 1999), counts.of('one', 2000)]).toEqual([1, 0]);
});

it('evicts the least recently counted key if there are too many keys', () => {
  const counts = new WindowCounts({ windowMs: 1000, maxKeys: 2 });
  counts.add('one', 1, 0);
  counts.add('two', 1, 0);
  counts.add('one', 1, 0);
  counts.add('three', 1, 0);
  expect(['one', 'two', 'three'].map((key) => counts.of(key, 0))).toEqual([2, 0, 1]);
});
