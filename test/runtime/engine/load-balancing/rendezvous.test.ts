import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText, type RendezvousBranch, rendezvous } from '../../../../runtime/engine/load-balancing/rendezvous.ts';

const branches = (weights: readonly number[]): readonly RendezvousBranch[] =>
  weights.map((weight, index) => ({ index, weight, hashed: hashText(`branch ${index}`) }));

const keys = (count: number, of: string): readonly ReturnType<typeof hashText>[] =>
  Array.from({ length: count }, (_, at) => hashText(`${of} ${at}`));

describe('rendezvous', () => {
  it('assigns keys to branches in proportion to their weights (chi-square)', () => {
    const weights = [1, 2, 3, 4];
    const all = 40_000;
    const chosen = keys(all, 'session').map((key) => rendezvous(key, branches(weights)));
    const counts = weights.map((_, at) => chosen.filter((index) => index === at).length);
    const chi = weights.reduce((sum, weight, at) => {
      const expected = (all * weight) / 10;
      return sum + ((counts[at] ?? 0) - expected) ** 2 / expected;
    }, 0);
    // With three degrees of freedom, one run in a thousand is above this.
    expect(chi).toBeLessThan(16.27);
  });

  it('moves only the keys of a branch that is removed, or to a branch that is added', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 6 }),
        fc.nat(5),
        fc.string(),
        (weights, left, key) => {
          const all = branches(weights);
          const gone = left % all.length;
          const hashed = hashText(key);
          const before = rendezvous(hashed, all);
          const after = rendezvous(
            hashed,
            all.filter(({ index }) => index !== gone),
          );
          if (before !== gone) expect(after).toBe(before);
        },
      ),
    );
  });

  it('returns the same branch in any order, and none if there is none', () => {
    for (const key of keys(200, 'order'))
      expect(rendezvous(key, branches([1, 2, 3]).toReversed())).toBe(rendezvous(key, branches([1, 2, 3])));
    expect(rendezvous(hashText('key'), [])).toBeUndefined();
  });

  it('assigns the same keys to the same branches in every gateway and every version', () => {
    const chosen = keys(16, 'session').map((key) => rendezvous(key, branches([1, 2, 3, 4])));
    expect(chosen).toEqual([0, 2, 2, 0, 3, 1, 3, 3, 2, 1, 2, 3, 1, 1, 2, 1]);
  });
});

describe('hashText', () => {
  it('returns the first eight bytes of the SHA-256', () => {
    for (const text of ['', 'session', 'Straße', 'x'.repeat(1000)]) {
      const bytes = createHash('sha256').update(text).digest();
      expect(hashText(text)).toEqual([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]);
    }
  });
});
