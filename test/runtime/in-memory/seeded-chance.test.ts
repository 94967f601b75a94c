import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededChance } from '../../../runtime/in-memory/seeded-chance.ts';
import { type JsonPointer, toPointer } from '../../../schema/json/pointer.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const path: JsonPointer = toPointer(['targets', 0]);
const address = fc.record({
  seed: fc.maxSafeNat(),
  path: fc.constantFrom(path, toPointer([]), toPointer(['targets', 1])),
  visit: fc.integer({ min: 1, max: 10 }),
});
const weights = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 40 })), {
    minLength: 1,
    maxLength: 8,
  })
  .filter((list) => list.some((weight) => weight > 0));

/** Returns the chi-square of how often each branch is drawn over consecutive seeds, compared with its weight. */
const chiSquare = (list: readonly number[], draws: number): number => {
  const counts = list.map(() => 0);
  for (let seed = 0; seed < draws; seed += 1) {
    const branch = seededChance.pick({ seed, path, visit: 1 }, list);
    counts[branch] = (counts[branch] ?? 0) + 1;
  }
  const total = list.reduce((sum, weight) => sum + weight, 0);
  return list.reduce((sum, weight, branch) => {
    const expected = (draws * weight) / total;
    return sum + ((counts[branch] ?? 0) - expected) ** 2 / expected;
  }, 0);
};

describe('seeded chance', () => {
  it('returns the same draw for the same address', () => {
    fc.assert(
      fc.property(address, weights, (at, list) => {
        expect(seededChance.pick({ ...at }, list)).toBe(seededChance.pick(at, list));
        expect(seededChance.between(at, 500, 1000)).toBe(seededChance.between({ ...at }, 500, 1000));
      }),
    );
  });

  it.each([
    { list: [2 ** 53, 2 ** 53] },
    { list: [1e300, 1] },
    { list: [Number.POSITIVE_INFINITY] },
    { list: [Number.NaN, 1] },
    { list: [0, 0] },
  ])('rejects weights that cannot be drawn exactly, instead of drawing for ever: $list', ({ list }) => {
    expect(() => seededChance.pick({ seed: 1, path, visit: 1 }, list)).toThrow(RangeError);
  });

  it('never draws a weight of 0', () => {
    fc.assert(
      fc.property(address, weights, (at, list) => {
        expect(list[seededChance.pick(at, list)]).toBeGreaterThan(0);
      }),
      lawRuns,
    );
  });

  it('throws if no weight is above 0', () => {
    expect(() => seededChance.pick({ seed: 1, path, visit: 1 }, [0, 0])).toThrow(RangeError);
    expect(() => seededChance.pick({ seed: 1, path, visit: 1 }, [])).toThrow(RangeError);
  });

  // One honest generator in a million exceeds the limit. The seeds are fixed, so the result is always the same.
  it.each([[[1, 1]], [[7, 3]], [[1, 99]], [[1, 2, 3, 4]], [[1, 1, 1, 1, 1, 1, 1, 1]], [[2 ** 40, 2 ** 40, 2 ** 41]]])(
    'draws %j as often as the weights require',
    (list) => {
      expect(chiSquare(list, 20_000)).toBeLessThan(40);
    },
  );

  it('draws differently for another path, visit or seed', () => {
    const at = (seed: number, where: JsonPointer, visit: number): number =>
      seededChance.between({ seed, path: where, visit }, 0, 1);
    const draws = [
      at(1, path, 1),
      at(2, path, 1),
      at(1, path, 2),
      at(1, toPointer(['targets', 1]), 1),
      at(2 ** 33, path, 1),
    ];
    expect(new Set(draws).size).toBe(draws.length);
  });

  it('draws evenly from an interval, and never outside it', () => {
    const draws = Array.from({ length: 10_000 }, (_, seed) =>
      seededChance.between({ seed, path, visit: 1 }, 500, 1000),
    );
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(500);
    expect(Math.max(...draws)).toBeLessThanOrEqual(1000);
    expect(Math.abs(mean - 750)).toBeLessThan(10);
  });
});
