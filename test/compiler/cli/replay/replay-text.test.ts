import { describe, expect, it } from 'vitest';
import { replayText } from '../../../../compiler/cli/replay/replay-text.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';

it.each([
  [0, '200\n'],
  [0.4, '200\n'],
  [1, '200, after 1 ms\n'],
  [1500, '200, after 1.5 s\n'],
])('the text of a replay shows the time unless it is below a millisecond: %d ms', (ms, line) => {
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
  [
    { unusedSteps: 0, recorded: { differsAt: null, problem: { cause: 'malformed-body', hint: 'Send an\nobject.' } } },
    'The log says: malformed-body: Send an object.',
  ],
])('the text of a replay says how it differs from the recorded request: %j', (differing, line) => {
  expect(replayText({ ...of, ...differing }, requestPlan).split('\n')).toContain(line);
});

describe('a replay on another plan than the recorded one', () => {
  const plan = { ...requestPlan, name: 'chat', hash: 'sha256:f99aaaaaaaaaaaaa' } as const;
  const lastLine = (on: string): string | undefined =>
    replayText({ ...of, unusedSteps: 0, recorded: { on, differsAt: null } }, plan)
      .trimEnd()
      .split('\n')
      .at(-1);

  it('ends with both plans if the config has changed', () => {
    expect(lastLine('chat@5c8000000000')).toBe(
      'The request ran on chat@5c8000000000, and chat is chat@f99aaaaaaaaa now.',
    );
  });

  it('ends with both plans if another config is shown', () => {
    expect(lastLine('other@5c8000000000')).toBe(
      'The request ran on other@5c8000000000, and not on chat@f99aaaaaaaaa, which is shown here.',
    );
  });

  it('does not mention plans if their hashes are the same, whatever the name', () => {
    for (const name of ['chat', 'other'])
      expect(lastLine(`${name}@f99aaaaaaaaa`)).toBe(`The trail is the one recorded on ${name}@f99aaaaaaaaa.`);
  });
});
