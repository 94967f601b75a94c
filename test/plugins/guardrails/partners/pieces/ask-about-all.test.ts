import { expect, it } from 'vitest';
import { askAboutAll } from '../../../../../plugins/guardrails/partners/pieces/ask-about-all.ts';

it('asks about eight things at once, and gives the answers in order', async () => {
  let underWay = 0;
  let most = 0;
  const answers = await askAboutAll(
    Array.from({ length: 20 }, (_, index) => index),
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

it('asks nothing more after an error', async () => {
  const asked: number[] = [];
  const asking = askAboutAll(
    Array.from({ length: 100 }, (_, index) => index),
    async (index) => {
      asked.push(index);
      if (index === 3) throw new Error('No.');
    },
  );
  await expect(asking).rejects.toThrow('No.');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.length).toBeLessThan(20);
});
