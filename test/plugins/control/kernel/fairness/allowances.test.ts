import { expect, it } from 'vitest';
import {
  type AllowanceName,
  allowanceSizes,
  createAllowances,
} from '../../../../../plugins/control/kernel/fairness/allowances.ts';

const names = Object.keys(allowanceSizes) as readonly AllowanceName[];

it.each(names)('limits the allowance %s separately for each key and each window', async (name) => {
  let now = 0;
  const allowances = createAllowances(() => now);
  const { max, windowMs } = allowanceSizes[name];
  for (let count = 0; count < max; count += 1) expect(await allowances.take(name, 'a')).toBe(true);
  expect(await allowances.take(name, 'a')).toBe(false);
  expect(await allowances.take(name, 'b')).toBe(true);
  for (const other of names.filter((each) => each !== name)) expect(await allowances.take(other, 'a')).toBe(true);
  await allowances.giveBack(name, 'a');
  expect([await allowances.take(name, 'a'), await allowances.take(name, 'a')]).toEqual([true, false]);
  now = windowMs;
  expect(await allowances.take(name, 'a')).toBe(true);
});

it('never gives back more than was counted in the current window', async () => {
  let now = 0;
  const allowances = createAllowances(() => now);
  const { max, windowMs } = allowanceSizes.signIns;
  await allowances.take('signIns', 'a', max);
  now = windowMs;
  await allowances.take('signIns', 'a', 2);
  await allowances.giveBack('signIns', 'a', max);
  expect(await allowances.take('signIns', 'a', max)).toBe(true);
  expect(await allowances.take('signIns', 'a')).toBe(false);
});
