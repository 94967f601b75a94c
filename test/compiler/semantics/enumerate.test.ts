import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enumerate } from '../../../compiler/semantics/enumerate.ts';
import { add, formatRational, one, parseRational, rational, zero } from '../../../compiler/semantics/rational.ts';

describe('the enumeration of a function that draws', () => {
  it('contains each sequence of draws once, with its probability', () => {
    const runs = enumerate((choose) => (choose([1, 2]) === 0 ? 'first' : `second, ${choose([0, 1, 3])}`));
    expect(runs.map(({ result, probability }) => [result, formatRational(probability)])).toEqual([
      ['first', '1/3'],
      ['second, 1', '1/6'],
      ['second, 2', '1/2'],
    ]);
  });

  it('has one certain run if nothing is drawn', () => {
    expect(enumerate(() => 'only')).toEqual([{ result: 'only', probability: one }]);
  });

  it('has probabilities that add up to one', () => {
    const weights = fc
      .array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 })
      .filter((list) => list.some((w) => w > 0));
    fc.assert(
      fc.property(fc.array(weights, { maxLength: 4 }), (draws) => {
        const runs = enumerate((choose) => draws.map((list) => choose(list)));
        expect(runs.reduce((sum, { probability }) => add(sum, probability), zero)).toEqual(one);
        expect(new Set(runs.map(({ result }) => result.join())).size).toBe(runs.length);
      }),
    );
  });

  it('rejects a draw without positive weights', () => {
    expect(() => enumerate((choose) => choose([0, 0]))).toThrow(RangeError);
  });
});

describe('fractions', () => {
  it('are reduced to lowest terms, and can be formatted and parsed', () => {
    expect(formatRational(rational(6n, 4n))).toBe('3/2');
    expect(parseRational('3/2')).toEqual(rational(3n, 2n));
    expect(() => parseRational('a/b')).toThrow(SyntaxError);
  });
});
