import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allot } from '../../../../../plugins/control/kernel/jobs/job-store.ts';
import { FairShares } from '../../../../../plugins/sdk/fairness/fair-shares.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const tenants = ['a', 'b', 'c', 'd', 'e', 'f'];

const counts = fc.array(fc.nat(20), { minLength: tenants.length, maxLength: tenants.length });

it('allots places evenly, up to what each tenant wants and may hold, and leaves no usable place free', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), counts, counts, (size, holding, wanting) => {
      const shares = new FairShares(size);
      for (const [at, tenant] of tenants.entries())
        for (let place = 0; place < (holding[at] ?? 0); place += 1) shares.take(tenant);
      const before = new Map(tenants.map((tenant) => [tenant, shares.held(tenant)]));
      const due = tenants.map((tenant, at) => ({ tenant, due: wanting[at] ?? 0 })).filter((each) => each.due > 0);
      const allotted = allot(shares, due);
      expect(shares.taken).toBeLessThanOrEqual(size);
      const most = Math.max(0, ...allotted.values());
      for (const { tenant, due: wanted } of due) {
        const given = allotted.get(tenant) ?? 0;
        expect(shares.held(tenant)).toBe((before.get(tenant) ?? 0) + given);
        expect(shares.held(tenant)).toBeLessThanOrEqual(shares.share);
        expect(given).toBeLessThanOrEqual(wanted);
        const couldHaveMore = given < wanted && shares.held(tenant) < shares.share;
        if (couldHaveMore) expect([given >= most - 1, shares.taken]).toEqual([true, size]);
      }
    }),
    lawRuns,
  );
});

it('forgets the turn of a tenant that has no more jobs due', () => {
  const shares = new FairShares(4);
  allot(shares, [{ tenant: 'a', due: 3 }]);
  expect([...allot(shares, [{ tenant: 'b', due: 1 }])]).toEqual([['b', 1]]);
  shares.give('a');
  shares.give('b');
  expect(shares.tenants).toBe(0);
});
