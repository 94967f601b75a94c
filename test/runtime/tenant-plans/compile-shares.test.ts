import { describe, expect, it } from 'vitest';
import { createCancellation } from '../../../plugins/sdk/time/cancellation.ts';
import { neverCancelled } from '../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { createCallerPlans } from '../../../runtime/tenant-plans/caller-plans.ts';
import { CompileShares } from '../../../runtime/tenant-plans/compile-shares.ts';
import { createPlanCache } from '../../../runtime/tenant-plans/plan-cache.ts';
import { fakeLinkedPlan } from '../../support/plans/fake-linked-plan.ts';

/** Creates the plans of callers whose configs take 100 ms to compile. */
const start = async () => {
  const virtual = createVirtualClock();
  const compiled: string[] = [];
  let spent = 0;
  const clock = { monotonic: () => virtual.monotonic() + spent, after: virtual.after };
  const plans = createCallerPlans({
    load: async () => (text) => {
      spent += 100;
      compiled.push(text);
      return { secrets: [], diagnostics: [] };
    },
    link: (plan) => fakeLinkedPlan(plan),
    cache: createPlanCache({ check: () => undefined }),
    shares: new CompileShares(clock),
  });
  await plans.get('the first one loads the compiler');
  compiled.length = 0;
  const bring = (tenant: string, text: string, cancellation = neverCancelled) =>
    (async () => plans.get(text, undefined, { principal: { tenant }, cancellation }))().catch(
      (error: { readonly report: { readonly code: string } }) => error.report.code,
    );
  return { bring, compiled, plans, pass: (ms: number) => virtual.advance(ms) };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a flood of new configs from one tenant', () => {
  it('is compiled in a quarter of the time, and a config of another tenant at once', async () => {
    const { bring, compiled, pass } = await start();
    const flood = Array.from({ length: 100 }, (_, at) => bring('flood', `flood ${at}`));
    expect(compiled).toEqual(['flood 0']);
    await bring('calm', 'calm');
    expect(compiled).toEqual(['flood 0', 'calm']);
    for (let at = 0; at < 300; at += 1) {
      pass(10);
      await turn();
    }
    // 3 s pass in addition to the time spent on compiling.
    expect(compiled.length).toBeGreaterThan(8);
    expect(compiled.length).toBeLessThan(14);
    pass(100_000);
    expect(new Set((await Promise.all(flood)).map((made) => typeof made))).toEqual(new Set(['object']));
    expect(compiled).toHaveLength(101);
  });

  it('waits in a queue of up to 1,000 configs, and the rest is rejected', async () => {
    const { bring, pass } = await start();
    const flood = Array.from({ length: 1002 }, (_, at) => bring('flood', `flood ${at}`));
    expect(await flood.at(-1)).toBe('queue-full');
    pass(1_000_000);
    expect((await Promise.all(flood)).filter((made) => made === 'queue-full')).toHaveLength(1);
  });

  it('is not compiled for clients that disconnected, and only once for equal configs', async () => {
    const { bring, compiled, pass } = await start();
    const { cancellation, cancel } = createCancellation();
    const all = [bring('flood', 'a'), bring('flood', 'b', cancellation), bring('flood', 'c'), bring('flood', 'c')];
    cancel();
    pass(10_000);
    await Promise.all(all);
    expect(compiled).toEqual(['a', 'c']);
  });

  it('is compiled at once if there is only one tenant', async () => {
    const { bring, compiled } = await start();
    for (let at = 0; at < 20; at += 1) void bring('', String(at));
    expect(compiled).toHaveLength(20);
  });

  it('counts towards the share of the tenant even if the compiler first waits for something', async () => {
    const virtual = createVirtualClock();
    let spent = 0;
    const shares = new CompileShares({ monotonic: () => virtual.monotonic() + spent, after: virtual.after });
    const sender = (tenant: string) => ({ principal: { tenant }, cancellation: neverCancelled });
    const compiled: string[] = [];
    const compile = (tenant: string): Promise<void> | void =>
      shares.run(sender(tenant), async (timed) => {
        await turn();
        timed(() => {
          spent += 100;
          compiled.push(tenant);
        });
      });
    await compile('flood');
    const waits = compile('flood');
    await compile('calm');
    expect(compiled).toEqual(['flood', 'calm']);
    virtual.advance(1000);
    await waits;
    expect(compiled).toEqual(['flood', 'calm', 'flood']);
  });
});
