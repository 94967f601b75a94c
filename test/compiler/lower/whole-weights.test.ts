import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeWeights } from '../../../compiler/lower/whole-weights.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

describe('wholeWeights', () => {
  it.each([
    [
      [0.7, 0.3],
      [7, 3],
    ],
    [
      [0.1, 0.2, 0.7],
      [1, 2, 7],
    ],
    [
      [95, 5],
      [19, 1],
    ],
    [
      [1e-7, 1],
      [1, 10_000_000],
    ],
    [
      [1e21, 2e21],
      [1, 2],
    ],
    [
      [0, 4],
      [0, 1],
    ],
    [[1], [1]],
    [
      [0, 0],
      [0, 0],
    ],
  ])('converts %j to %j', (weights, whole) => {
    expect(wholeWeights(weights)).toEqual(whole);
  });

  it('returns undefined if the sum is not a safe integer', () => {
    expect(wholeWeights([1e-9, 1e9])).toBeUndefined();
    expect(wholeWeights([Number.MIN_VALUE, 1])).toBeUndefined();
  });

  it('keeps every ratio exactly, and returns coprime numbers', () => {
    const decimal = fc.tuple(fc.nat(9999), fc.nat(4)).map(([digits, places]) => Number(`${digits}e-${places}`));
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 2, maxLength: 6 }), (weights) => {
        const whole = wholeWeights(weights) ?? [];
        const tenThousandths = weights.map((weight) => BigInt(Math.round(weight * 10_000)));
        for (const [a, left] of whole.entries())
          for (const [b, right] of whole.entries())
            expect(BigInt(left) * (tenThousandths[b] ?? 0n)).toBe(BigInt(right) * (tenThousandths[a] ?? 0n));
        const divisor = whole.reduce((x, y) => {
          let [m, n] = [x, y];
          while (n !== 0) [m, n] = [n, m % n];
          return m;
        }, 0);
        expect(divisor).toBeLessThanOrEqual(1);
      }),
      lawRuns,
    );
  });
});
