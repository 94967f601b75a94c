import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeldBytes } from '../../../../plugins/sdk/fairness/held-bytes.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

interface Taken {
  readonly tenant: string;
  readonly bytes: number;
}

const names = ['', 'a', 'b', 'c'];

const step = fc.record({ tenant: fc.constantFrom(...names), bytes: fc.nat(50), given: fc.option(fc.nat(20)) });

const toSum = (taken: readonly Taken[]): number => taken.reduce((sum, { bytes }) => sum + bytes, 0);

it('counts the bytes that each tenant has taken and not returned, and forgets tenants without any', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const held = new HeldBytes();
      const taken: Taken[] = [];
      for (const { tenant, bytes, given } of steps) {
        const [back] = given === null ? [] : taken.splice(given, 1);
        if (back !== undefined) held.give(back.tenant, back.bytes);
        else {
          taken.push({ tenant, bytes });
          held.take(tenant, bytes);
        }
        const own = names.map((name) => toSum(taken.filter((each) => each.tenant === name)));
        expect(names.map((name) => held.of(name))).toEqual(own);
        expect(held.all).toBe(toSum(taken));
        expect(held.tenants).toBe(own.slice(1).filter((each) => each > 0).length);
      }
    }),
    lawRuns,
  );
});
