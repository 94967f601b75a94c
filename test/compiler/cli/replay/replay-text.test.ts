import { expect, it } from 'vitest';
import { replayText } from '../../../../compiler/cli/replay/replay-text.ts';
import { requestPlan } from '../../../../runtime/plans/request-plan.ts';

it.each([
  [0, '200\n'],
  [0.4, '200\n'],
  [1, '200, after 1 ms\n'],
  [1500, '200, after 1.5 s\n'],
])('the time of a replay is shown where it is a figure: %d ms', (ms, line) => {
  const replayed = { method: 'POST', path: '/v1/x', seed: 1, trail: [], status: 200, ms, unusedSteps: 0 };
  expect(replayText(replayed, requestPlan).split('\n\n').at(-1)).toBe(line);
});
