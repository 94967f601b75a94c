import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairPool, type FairPool, type Place } from '../../../../plugins/sdk/fairness/fair-pool.ts';
import { createCancellation, neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';
import { type ModelClaim, PoolModel } from './pool-model.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A claim of the pool, in the states of the model. */
interface RealClaim {
  state: ModelClaim['state'];
  place: Place | undefined;
  readonly cancel: () => void;
}

const toClaim = (pool: FairPool, tenant: string): RealClaim => {
  const { cancellation, cancel } = createCancellation();
  const claim: RealClaim = { state: 'waits', place: undefined, cancel };
  void pool.claim(tenant, cancellation).then((answer) => {
    if (answer.kind === 'granted') Object.assign(claim, { state: 'holds', place: answer });
    else claim.state = answer.kind === 'full' ? 'refused' : 'left';
  });
  return claim;
};

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), of: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), of: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), of: fc.nat(30) }) },
);

const poolSize = fc.record({ size: fc.integer({ min: 1, max: 13 }), maxQueued: fc.nat(5) });

describe('a pool that tenants share', () => {
  it('behaves as its model for any sequence of claims, cancellations and releases, and forgets idle tenants', () =>
    fc.assert(
      fc.asyncProperty(poolSize, fc.array(step, { maxLength: 60 }), async (bounds, steps) => {
        const model = new PoolModel(bounds);
        const pool = createFairPool(bounds);
        const claims: RealClaim[] = [];
        const release = (id: number): void => {
          const [real, modelled] = [claims[id], model.claims[id]];
          if (modelled?.state !== 'holds' || real === undefined) return;
          real.place?.release();
          // A second release has no effect.
          real.place?.release();
          real.state = 'released';
          model.release(modelled);
        };
        for (const each of steps) {
          if (each.do === 'claim') {
            model.claim(`tenant-${each.of}`);
            claims.push(toClaim(pool, `tenant-${each.of}`));
          } else if (each.do === 'release') release(each.of);
          else {
            claims[each.of]?.cancel();
            const modelled = model.claims[each.of];
            if (modelled !== undefined) model.cancel(modelled);
          }
          await turn();
          expect(claims.map(({ state }) => state)).toEqual(model.claims.map(({ state }) => state));
          expect(pool.count()).toMatchObject({ taken: model.count('holds'), waiting: model.count('waits') });
        }
        while (model.count('holds') > 0) {
          for (const { id } of model.claims.filter(({ state }) => state === 'holds')) release(id);
          await turn();
        }
        expect(pool.count()).toEqual({ taken: 0, waiting: 0, tenants: 0 });
      }),
      lawRuns,
    ));

  it('lets a new tenant wait for at most one turn of every other tenant, however long their work takes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 4, max: 16 }),
        fc.array(fc.record({ at: fc.nat(9), tenant: fc.nat(7), ms: fc.integer({ min: 1, max: 40 }) }), {
          minLength: 30,
          maxLength: 100,
        }),
        fc.array(fc.record({ at: fc.nat(60), ms: fc.integer({ min: 1, max: 40 }) }), { minLength: 1, maxLength: 6 }),
        async (size, floods, news) => {
          const clock = createVirtualClock();
          const pool = createFairPool({ size, maxQueued: 1000 });
          /** The tenants that got a slot, in order. */
          const granted: string[] = [];
          const run = async (tenant: string, ms: number): Promise<void> => {
            const from = granted.length;
            const claim = await pool.claim(tenant, neverCancelled);
            if (claim.kind !== 'granted') throw new Error(claim.kind);
            const before = granted.slice(from);
            granted.push(tenant);
            if (tenant.startsWith('new'))
              expect(new Set(before).size, `${tenant} is behind ${before}`).toBe(before.length);
            await new Promise<void>((resolve) => void clock.after(ms, resolve));
            claim.release();
          };
          const works = [
            ...floods.map(({ tenant, ...work }) => ({ tenant: `flood-${tenant}`, ...work })),
            // Each at a distinct time, so that every earlier grant has been recorded.
            ...news.map(({ at, ms }, nth) => ({ tenant: `new-${nth}`, at: at + (nth + 1) / 10, ms })),
          ];
          const all = works.map(
            ({ at, tenant, ms }) =>
              new Promise<void>((resolve, reject) => {
                clock.after(at, () => void run(tenant, ms).then(resolve, reject));
              }),
          );
          await clock.settle(Promise.all(all));
          expect(pool.count()).toEqual({ taken: 0, waiting: 0, tenants: 0 });
        },
      ),
      { ...lawRuns, numRuns: Math.ceil(lawRuns.numRuns / 5) },
    ));

  it('has a slot for a fourth tenant immediately while three others flood it with work that never ends', async () => {
    const pool = createFairPool({ size: 256, maxQueued: 1000 });
    const floods = ['a', 'b', 'c'].flatMap((tenant) => Array.from({ length: 1200 }, () => toClaim(pool, tenant)));
    await turn();
    const toCount = (state: RealClaim['state']): number => floods.filter((each) => each.state === state).length;
    expect([toCount('holds'), toCount('waits'), toCount('refused')]).toEqual([3 * 64, 3 * 1000, 3 * 136]);
    expect(pool.take('d')).toBeDefined();
    expect(pool.take('a')).toBeUndefined();
  });

  it('grants nothing to a claim that was cancelled before', async () => {
    const pool = createFairPool({ size: 4, maxQueued: 1 });
    const { cancellation, cancel } = createCancellation();
    cancel();
    expect(await pool.claim('a', cancellation)).toEqual({ kind: 'left' });
    expect(pool.count()).toEqual({ taken: 0, waiting: 0, tenants: 0 });
  });
});
