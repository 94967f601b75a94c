import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type BodyHolder, MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const toHolder = (tenant: string): BodyHolder => ({ heldBytes: 0, heldFor: '', principal: { tenant } });

/** Takes bodies of 10 bytes until one is refused, and returns how many were taken. */
const fill = (budget: MemoryBudget, tenant: string): number => {
  for (let count = 0; ; count += 1) if (!budget.take(10, toHolder(tenant))) return count;
};

it('the memory budget keeps a quarter for others if one tenant takes all that it can', () => {
  const budget = new MemoryBudget(400);
  expect([fill(budget, 'a'), fill(budget, 'a')]).toEqual([30, 0]);
  expect([fill(budget, 'b'), fill(budget, 'a')]).toEqual([10, 0]);
});

it('the whole memory budget is available to the single tenant of a gateway without service keys', () => {
  expect(fill(new MemoryBudget(400), '')).toBe(40);
});

it('the memory budget allows any tenant one body that fits, whatever its share is', () => {
  const budget = new MemoryBudget(400);
  const large = toHolder('a');
  for (let chunk = 0; chunk < 39; chunk += 1) expect(budget.take(10, large)).toBe(true);
  expect(budget.take(10, toHolder('a'))).toBe(false);
  expect(budget.take(10, toHolder('b'))).toBe(true);
});

it('the memory budget counts the bytes held in total and by each tenant, and subtracts released ones', () => {
  const step = fc.record({ body: fc.nat(11), bytes: fc.integer({ min: 1, max: 60 }), isOver: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const budget = new MemoryBudget(200);
      const bodies = Array.from({ length: 12 }, (_, at) => ({ ...toHolder(`t${at % 4}`), at }));
      for (const { body, bytes, isOver } of steps) {
        const holder = bodies[body];
        if (holder === undefined) continue;
        const of = bodies.filter((each) => each.principal.tenant === holder.principal.tenant);
        const held = of.reduce((sum, each) => sum + each.heldBytes, 0);
        const all = bodies.reduce((sum, each) => sum + each.heldBytes, 0);
        if (isOver) budget.release(holder);
        else {
          const isOnly = held === holder.heldBytes;
          const fits = all + bytes <= 200 && (isOnly || all + bytes <= 150 || held + bytes <= 50);
          expect(budget.take(bytes, holder)).toBe(fits);
        }
        expect(budget.held).toBe(bodies.reduce((sum, each) => sum + each.heldBytes, 0));
      }
      for (const holder of bodies) budget.release(holder);
      expect([budget.held, fill(budget, 'new')]).toEqual([0, 15]);
    }),
    lawRuns,
  );
});
