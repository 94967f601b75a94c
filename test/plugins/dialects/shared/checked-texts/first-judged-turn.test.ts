import { describe, expect, it } from 'vitest';
import {
  firstJudgedTurn,
  speakerByRole,
} from '../../../../../plugins/dialects/shared/checked-texts/first-judged-turn.ts';
import type { Json } from '../../../../../schema/json/json.ts';

const roles: Readonly<Record<string, Json>> = {
  s: { role: 'system' },
  d: { role: 'developer' },
  u: { role: 'user' },
  t: { role: 'tool' },
  x: { role: 'stranger' },
  o: {},
  a: { role: 'assistant' },
  '-': null,
  w: 'words',
};

const judged = (turns: string, reading?: 'new' | 'all'): string => {
  const messages = [...turns].map((turn) => roles[turn] ?? null);
  return turns.slice(firstJudgedTurn(messages, speakerByRole('assistant'), reading));
};

describe('the turns that input checks judge', () => {
  it.each([
    ['suau', 'u'],
    ['suatt', 'tt'],
    ['uax', 'x'],
    ['uao', 'o'],
    ['uasu', 'su'],
    ['sdu', 'u'],
    ['s', 's'],
    ['', ''],
  ])('of %s are %s', (turns, expected) => {
    expect(judged(turns)).toBe(expected);
  });

  it.each([
    ['ua', 'ua'],
    ['uaa', 'uaa'],
    ['suas', 'uas'],
    ['uaua', 'ua'],
    ['uauaa', 'uaa'],
    ['uauasda', 'uasda'],
    ['ua-', 'ua-'],
    ['uaw', 'uaw'],
    ['a', 'a'],
    ['sa', 'a'],
  ])(
    'of %s are %s, because trailing model turns, instructions and values that are no turns hide nothing',
    (turns, expected) => {
      expect(judged(turns)).toBe(expected);
    },
  );

  it('are all turns except leading instructions if checks judge all of them', () => {
    expect(judged('suauat', 'all')).toBe('uauat');
    expect(judged('uasu', 'all')).toBe('uasu');
  });
});
