import { describe, expect, it } from 'vitest';
import { createCallerPlans } from '../../../runtime/tenant-plans/caller-plans.ts';
import { createPlanCache } from '../../../runtime/tenant-plans/plan-cache.ts';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan/plan.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { fakeLinkedPlan } from '../../support/plans/fake-linked-plan.ts';

const start = ({
  plan: made = requestPlan,
  ...bounds
}: {
  entries?: number;
  bytes?: number;
  plan?: RoutingPlan;
} = {}) => {
  const compiled: string[] = [];
  let loads = 0;
  const compile = (text: string): CompileResult => {
    compiled.push(text);
    return text === 'refused' ? { secrets: [], diagnostics: [] } : { plan: made, secrets: [], diagnostics: [] };
  };
  const plans = createCallerPlans({
    load: async () => {
      loads += 1;
      return compile;
    },
    link: (plan) => fakeLinkedPlan(plan),
    cache: createPlanCache({ check: () => undefined, ...bounds }),
  });
  return { plans, compiled, loads: () => loads };
};

describe('the configs of callers', () => {
  it('are compiled once if they arrive together before the compiler is loaded', async () => {
    const { plans, compiled } = start();
    const [one, other] = await Promise.all([plans.get('{}'), plans.get('{}')]);
    expect(one).toBe(other);
    expect(compiled).toEqual(['{}']);
  });

  it('are available immediately afterwards', async () => {
    const { plans, loads } = start();
    const first = await plans.get('{}');
    expect(plans.get('{}')).toBe(first);
    expect(plans.get('{ }')).not.toBeInstanceOf(Promise);
    expect(loads()).toBe(1);
  });

  it('are cached even if they were rejected', async () => {
    const { plans, compiled } = start();
    expect(await plans.get('refused')).toEqual({ refused: [] });
    await plans.get('refused');
    expect(compiled).toEqual(['refused']);
  });

  it.each([{ entries: 10 }, { bytes: 120_000 }])('are cached within limits: %j', async (bounds) => {
    const { plans, compiled } = start(bounds);
    for (let at = 0; at < 1000; at += 1) await plans.get(String(at).padStart(5));
    expect(compiled).toHaveLength(1000);
    for (let at = 990; at < 1000; at += 1) await plans.get(String(at).padStart(5));
    expect(compiled).toHaveLength(1000);
    await plans.get('    0');
    expect(compiled).toHaveLength(1001);
  });

  it('are cached by the size of their plans, not by the length of their texts', async () => {
    const kept = async (plan: RoutingPlan): Promise<number> => {
      const { plans, compiled } = start({ bytes: 5_000_000, plan });
      for (let at = 0; at < 100; at += 1) await plans.get(String(at).padStart(5));
      for (let at = 99; at >= 0 && compiled.length === 100; at -= 1) await plans.get(String(at).padStart(5));
      return compiled.length === 100 ? 100 : 99 - Number(compiled.at(-1));
    };
    const targets = Array.from({ length: 99 }, (): object => ({ provider: 'echo' }));
    const guardrail = { 'default.contains': { words: ['secret'], operator: 'none' } };
    const large = { strategy: { mode: 'fallback' }, input_guardrails: [guardrail], targets };
    expect(await kept(requestPlan)).toBe(100);
    expect(await kept(compileConfig(JSON.stringify(large)))).toBeLessThan(10);
  });
});
