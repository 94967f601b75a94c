import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { compileRegex } from '../../../schema/text/regex.ts';
import { regexCost } from '../../../schema/text/regex-cost.ts';
import { lawRuns } from '../../support/run/law-runs.ts';
import { shortestTime, timed } from '../../support/run/shortest-time.ts';

/** Returns the number of steps of the program, as the engine counts them, or `undefined` for an invalid pattern. */
const findSteps = (pattern: string): number | undefined => {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch {
    return undefined;
  }
};

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '7',
    'é',
    '😀',
    'abc',
    '.',
    '^',
    '$',
    '-',
    ']',
    '\\.',
    '\\b',
    '\\d',
    '\\W',
    '\\pL',
    '\\P{Greek}',
    '\\x41',
  ],
  ...['\\x{1F600}', '\\101', '\\Qa{9}\\E', '[a-z]', '[^a-z]', '[]x]', '[\\]x]', '[[:alpha:]_]', '[^\\n]', '[\\pL\\pN]'],
  ...['', '(?i)', '(?s)', '(?U)', '(?m)', '[', '(', ')', '|', '\\', '{', '}', '\\Q', '\\E', '(?:', '(?i:', '(?P<n>'],
);
const operator = fc.constantFrom(
  ...['', '', '', '*', '+', '?', '*?', '{0}', '{1}', '{2}', '{0,}', '{1,}', '{3,}', '{0,4}', '{2,5}', '{3,4}', '{7}?'],
);

/** Patterns, and sometimes a text that is almost one. */
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<name>'), tie('pattern'))
      .map(([open, inside]) => `${open}${inside})`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
  ),
  pattern: fc
    .array(
      fc.tuple(tie('piece'), operator).map(([piece, repeat]) => piece + repeat),
      { maxLength: 4 },
    )
    .map((pieces) => pieces.join('')),
}));

describe('the cost of a pattern, counted before it is compiled', () => {
  it('is never less than the steps of its program', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        const steps = findSteps(text);
        if (steps !== undefined) expect(regexCost(text).steps).toBeGreaterThanOrEqual(steps);
      }),
      { ...lawRuns, numRuns: lawRuns.numRuns * 3 },
    );
  });

  it.each([
    ['^gold-[a-z]{2,8}$', 24],
    ['(?i)\\b(?:password|passwd|secret|api[_-]?key)\\b', 40],
    ['[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}', 16],
    ['\\b(?:\\d[ -]*?){13,16}\\b', 80],
    ['[\\p{L}\\p{N}]{1,64}', 132],
  ])('for %s is close to the steps of its program', (text, most) => {
    expect(regexCost(text).steps).toBeGreaterThanOrEqual(findSteps(text) ?? Number.POSITIVE_INFINITY);
    expect(regexCost(text).steps).toBeLessThanOrEqual(most);
  });
});

describe('a pattern that would take long to compile', () => {
  const length = 28 * 1024;
  const full = (piece: string): string => piece.repeat(Math.floor(length / piece.length));

  it.each([
    ['counts in sequence', full('a{1000}')],
    ['nested counts', '((((a{10}){10}){10}){10}){10}'],
    ['counts in alternatives', full('a{900}|b{900}|')],
    ['groups', full('(')],
    ['optional groups', `${'(?:'.repeat(7000)}a${')?'.repeat(7000)}`],
    ['alternatives', Array.from({ length: 5000 }, (_, index) => index.toString(36)).join('|')],
    ['Unicode classes in a class', `[${full('\\pL')}]`],
    ['Unicode classes in alternatives', `a|${'\\pL|'.repeat(900)}`],
    ['incomplete Unicode classes', full('\\p{')],
    ['case-insensitive ranges', `(?i)${full('[\\x{80}-\\x{1E900}]')}`],
    ['case-insensitive classes of classes', `(?i)[${full('\\W')}]`],
    ['incomplete names of classes', `[${full('[:')}`],
    ['incomplete names of groups', full('(?P<')],
    ['quoted characters', `\\Q${full('a')}`],
    ['code points', full('\\x{1F600}')],
  ])('is rejected at once: %s', async (_what, text) => {
    compileRegex('the engine is loaded');
    const refuse = () => timed(() => expect(() => compileRegex(text)).toThrow(SyntaxError));
    // Rejecting takes a millisecond or two. Compiling took seconds.
    expect(await shortestTime(200, refuse)).toBeLessThan(200);
  });
});
