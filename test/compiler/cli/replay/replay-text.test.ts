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

const of = { method: 'POST', path: '/v1/x', seed: 1, trail: [], status: 200, ms: 0 } as const;

it.each([
  [{ unusedSteps: 2 }, '2 steps of "upstream" were not used.'],
  [{ unusedSteps: 0, recorded: { on: 'chat@1', differsAt: null } }, 'The trail is the one recorded on chat@1.'],
  [{ unusedSteps: 1, recorded: { differsAt: null } }, '1 recorded call was not repeated.'],
  [
    { unusedSteps: 0, recorded: { differsAt: 1 } },
    'The trail is not the one recorded: line 2 of it differs, so the config, or what it names, has changed since.',
  ],
])('says how a replay differs from what was recorded: %j', (differing, line) => {
  expect(replayText({ ...of, ...differing }, requestPlan).split('\n')).toContain(line);
});
