import { describe, expect, it } from 'vitest';
import { canMatch } from '../../../schema/text/can-match.ts';
import { compileRegex, regexProgram } from '../../../schema/text/regex.ts';

describe('a pattern that no text matches', () => {
  it.each([
    'a^',
    '$a',
    'a$b',
    'a\\bb',
    '\\b\\B',
    'a\\Ab',
    'a\\zb',
    '[^\\s\\S]',
    '(?:^a|b$)^',
    '\\Ba\\bc',
    '^\\Ba',
    '^(?:x$)+y',
  ])('is %s', (pattern) => expect(canMatch(regexProgram(pattern))).toBe(false));

  it.each([
    ['^^a$$', 'a'],
    ['^$', ''],
    ['$^', ''],
    ['a^|b', 'b'],
    ['(?m)a$\\n^b', 'a\nb'],
    ['(?m)^\\s^b', '\nb'],
    ['\\bgold\\b', 'gold'],
    ['\\B-\\B', '-'],
    ['é\\bx', 'éx'],
    ['(?i)k\\B', 'k\u212a'],
    ['a*^b', 'b'],
    ['(?:a$)?b', 'b'],
    ['[[:^word:]]\\b', '-a'],
    ['.\\b.', 'a-'],
  ])('is not %s, which %j matches', (pattern, text) => {
    expect(compileRegex(pattern)(text)).toBe(true);
    expect(canMatch(regexProgram(pattern))).toBe(true);
  });
});
