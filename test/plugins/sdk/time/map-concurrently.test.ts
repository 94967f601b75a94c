import { expect, it } from 'vitest';
import { mapConcurrently } from '../../../../plugins/sdk/time/map-concurrently.ts';

it('limits the number of concurrent calls and returns the results in order', async () => {
  let underWay = 0;
  let most = 0;
  const answers = await mapConcurrently(
    Array.from({ length: 20 }, (_, index) => index),
    8,
    async (index) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < 20 - index; turn += 1) await Promise.resolve();
      underWay -= 1;
      return -index;
    },
  );
  expect(answers.map((answer) => -answer)).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(most).toBe(8);
});

it('starts no more calls after an error', async () => {
  const asked: number[] = [];
  const asking = mapConcurrently(
    Array.from({ length: 100 }, (_, index) => index),
    8,
    async (index) => {
      asked.push(index);
      if (index === 3) throw new Error('No.');
    },
  );
  await expect(asking).rejects.toThrow('No.');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.length).toBeLessThan(20);
});
