import { describe, expect, it } from 'vitest';
import { compileFinder } from '../../../schema/text/regex.ts';

describe('the reach of a pattern', () => {
  it.each([
    ['abc', 3],
    ['a{2,5}|xy', 5],
    ['(a)(b)?', 2],
    ['(?i)abc', 3],
    ['a[bc]d', 3],
    ['\\d{3}-\\d{2}', 6],
    ['', 0],
    ['😀a', 3],
    ['a.c', 4],
    ['[^a]', 2],
  ])('%s: at most %i units', (pattern, reach) => {
    expect(compileFinder(pattern).reach).toBe(reach);
  });

  it.each(['a+', 'a*', 'a.*b', '(ab?)+c', '^a', 'a$', 'a\\b', '(?m)^a'])('%s: undefined', (pattern) => {
    expect(compileFinder(pattern).reach).toBeUndefined();
  });
});

describe('a finder', () => {
  it('finds the first match from an offset', () => {
    const { find } = compileFinder('a+');
    expect([find('baab a', 0), find('baab a', 2), find('baab a', 4), find('baab', 3)]).toEqual([
      { from: 1, to: 3 },
      { from: 2, to: 3 },
      { from: 5, to: 6 },
      undefined,
    ]);
  });

  it('rejects an invalid pattern', () => {
    expect(() => compileFinder('(')).toThrow(SyntaxError);
  });
});
