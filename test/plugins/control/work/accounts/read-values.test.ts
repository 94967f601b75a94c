import { expect, it } from 'vitest';
import { readInteger } from '../../../../../plugins/control/work/accounts/read-values.ts';
import type { Json } from '../../../../../schema/json/json.ts';

it.each<[Json | undefined, number | null]>([
  [7, 7],
  ['7', 7],
  ['-7', -7],
  ['9007199254740993', null],
  [0.5, null],
  ['', null],
  [' ', null],
  [true, null],
  [null, null],
  [[7], null],
  [{ toString: [1], valueOf: [1] }, null],
  [undefined, null],
])('the whole number in %j is %j', (value, whole) => {
  expect(readInteger(value)).toBe(whole);
});
