import { describe, expect, it } from 'vitest';
import { coprimeWeights } from '../../../compiler/optimise/coprime-weights.ts';
import { dropZeroWeight } from '../../../compiler/optimise/drop-zero-weight.ts';
import { flattenLoadbalance } from '../../../compiler/optimise/flatten-loadbalance.ts';
import { breakerStage, leafAt, not2xx, toBalance, toFallback } from '../../support/plans/plan-nodes.ts';

const [a, b, c, d] = [leafAt(0), leafAt(1), leafAt(2), leafAt(3)] as const;
const guarded = leafAt(4, breakerStage);

describe('drop zero weight', () => {
  it('removes branches that are never drawn', () => {
    expect(dropZeroWeight.rewrite(toBalance([0, a], [2, b], [0, c], [1, d]))).toEqual(toBalance([2, b], [1, d]));
  });

  it('changes nothing if every branch can be drawn, or none', () => {
    for (const node of [toBalance([2, a], [1, b]), toBalance([0, a]), toFallback(not2xx, a, b)])
      expect(dropZeroWeight.rewrite(node)).toBe(node);
  });
});

describe('coprime weights', () => {
  it('divides all weights by their greatest common divisor', () => {
    expect(coprimeWeights.rewrite(toBalance([4, a], [0, b], [6, c]))).toEqual(toBalance([2, a], [0, b], [3, c]));
    expect(coprimeWeights.rewrite(toBalance([0, a], [7, b]))).toEqual(toBalance([0, a], [1, b]));
  });

  it('changes nothing if the weights are coprime', () => {
    for (const node of [toBalance([2, a], [3, b]), toBalance([1, a], [1, b]), toFallback(not2xx, a, b)])
      expect(coprimeWeights.rewrite(node)).toBe(node);
  });

  it('is exact for the largest weights', () => {
    const even = Number.MAX_SAFE_INTEGER - 1;
    expect(coprimeWeights.rewrite(toBalance([even, a], [even, b]))).toEqual(toBalance([1, a], [1, b]));
  });
});

describe('flatten load balance', () => {
  it('multiplies the odds of the two draws', () => {
    const inner = toBalance([1, b], [2, c]);
    expect(flattenLoadbalance.rewrite(toBalance([3, a], [2, inner], [1, d]))).toEqual(
      toBalance([9, a], [2, b], [4, c], [3, d]),
    );
  });

  it('produces the smallest whole weights', () => {
    const inner = toBalance([1, b], [1, c]);
    expect(flattenLoadbalance.rewrite(toBalance([1, a], [2, inner]))).toEqual(toBalance([1, a], [1, b], [1, c]));
  });

  it.each([
    ['may be unavailable', toBalance([1, guarded], [1, b])],
    ['is never drawn', toBalance([1, b], [0, c])],
    ['is a group that may be unavailable', toBalance([1, toFallback(not2xx, guarded)], [1, b])],
  ])('does not flatten an inner load balance if one of its branches %s', (_what, inner) => {
    const node = toBalance([1, a], [1, inner]);
    expect(flattenLoadbalance.rewrite(node)).toBe(node);
  });

  it('flattens even if a branch of the outer one, or a leaf deep inside, may be unavailable', () => {
    const inner = toBalance([1, toFallback(not2xx, guarded, b)], [1, c]);
    expect(flattenLoadbalance.rewrite(toBalance([1, leafAt(0, breakerStage)], [1, inner]))).toEqual(
      toBalance([2, leafAt(0, breakerStage)], [1, toFallback(not2xx, guarded, b)], [1, c]),
    );
  });

  it('skips a group if the sum of weights would exceed safe integers, and flattens the next that fits', () => {
    const large = 2 ** 51;
    const tooLarge = toBalance([large + 1, b], [large - 2, c]);
    const fits = toBalance([1, b], [1, c]);
    const node = toBalance([1, a], [2 ** 30 + 1, tooLarge]);
    expect(flattenLoadbalance.rewrite(node)).toBe(node);
    expect(flattenLoadbalance.rewrite(toBalance([1, tooLarge], [1001, d], [1, fits]))).toEqual(
      toBalance([2, tooLarge], [2002, d], [1, b], [1, c]),
    );
  });

  it('allows a sum of the largest safe integer, but no larger one', () => {
    const greatest = Number.MAX_SAFE_INTEGER;
    const exact = toBalance([1, toBalance([greatest - 1, a], [1, b])]);
    expect(flattenLoadbalance.rewrite(exact)).toEqual(toBalance([greatest - 1, a], [1, b]));
    const beyond = toBalance([1, toBalance([greatest, a], [1, b])]);
    expect(flattenLoadbalance.rewrite(beyond)).toBe(beyond);
  });

  it('does not change other groups', () => {
    for (const node of [
      toFallback(not2xx, toBalance([1, a], [1, b]), c),
      toBalance([1, toFallback(not2xx, a, b)], [1, c]),
    ])
      expect(flattenLoadbalance.rewrite(node)).toBe(node);
  });
});
