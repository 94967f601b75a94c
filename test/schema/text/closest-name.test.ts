import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestName, editDistance } from '../../../schema/text/closest-name.ts';

const names = ['strategy', 'targets', 'retry', 'cache', 'weight'];

describe('closestName', () => {
  it.each([
    ['strategey', 'strategy'],
    ['tragets', 'targets'],
    ['RETRY', 'retry'],
    ['retyr', 'retry'],
    ['cach', 'cache'],
    ['wait', undefined],
    ['temperature', undefined],
    ['', undefined],
  ])('corrects %j to %j', (written, meant) => {
    expect(closestName(written, names)).toBe(meant);
  });

  it('finds a name with one letter changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.nat(4), (name, at) => {
        expect(closestName(`${name.slice(0, at)}#${name.slice(at + 1)}`, names)).toBe(name);
      }),
    );
  });

  it('returns the first of two equally near names', () => {
    expect(closestName('bat', ['cat', 'hat'])).toBe('cat');
  });

  it('returns the name with the fewest edits if it is near enough', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), (written, known) => {
        const near = known
          .map((name) => ({ name, edits: editDistance(written, name) }))
          .filter(({ name, edits }) => edits <= Math.max(name.length < 2 ? 0 : 1, Math.floor(name.length / 3)))
          .sort((a, b) => a.edits - b.edits);
        expect(closestName(written, known)).toBe(near[0]?.name);
      }),
    );
  });

  it('stops comparing at its limit if all names are long and similar', () => {
    let compared = 0;
    const known = function* () {
      for (; compared < 10_000; compared += 1) yield `${'ab'.repeat(20)}${'c'.repeat(22)}${compared % 10}`;
    };
    expect(closestName(`x${'ab'.repeat(20)}${'d'.repeat(22)}`, known())).toBe(undefined);
    expect(compared).toBeLessThan(100);
    // Hundreds of names of usual length are compared, even if they are very similar.
    const targets = Array.from({ length: 150 }, (_, at) => `target-number-${at}`);
    expect(closestName('targt-number-149', targets)).toBe('target-number-149');
  });
});

describe('editDistance', () => {
  /** Computes the distance by its definition. */
  const distance = (a: string, b: string): number => {
    const at = (i: number, j: number): number => {
      if (i === 0 || j === 0) return i + j;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      return Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    };
    return at(a.length, b.length);
  };

  it('is the smallest number of letters changed, added, removed or swapped', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(editDistance(a, b)).toBe(distance(a, b));
      }),
    );
  });
});
