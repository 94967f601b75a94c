import { describe, expect, it } from 'vitest';
import { createCallerPlans } from '../../../runtime/server/caller-plans.ts';
import { requestPlan } from '../../../runtime/server/request-plan.ts';
import type { CompileResult, RoutingPlan } from '../../../schema/plan.ts';

const start = (bounds: { entries?: number; characters?: number } = {}) => {
  const compiled: string[] = [];
  let loads = 0;
  const compile = (text: string): CompileResult => {
    compiled.push(text);
    return text === 'refused' ? { secrets: [], diagnostics: [] } : { plan: requestPlan, secrets: [], diagnostics: [] };
  };
  const plans = createCallerPlans({
    load: async () => {
      loads += 1;
      return compile;
    },
    link: (plan: RoutingPlan) => ({ plan, execute: () => Promise.reject(new Error('not run here')) }),
    ...bounds,
  });
  return { plans, compiled, loads: () => loads };
};

describe('the configs of callers', () => {
  it('are compiled once when they come together before the compiler is there', async () => {
    const { plans, compiled } = start();
    const [one, other] = await Promise.all([plans.get('{}'), plans.get('{}')]);
    expect(one).toBe(other);
    expect(compiled).toEqual(['{}']);
  });

  it('are there at once afterwards', async () => {
    const { plans, loads } = start();
    const first = await plans.get('{}');
    expect(plans.get('{}')).toBe(first);
    expect(plans.get('{ }')).not.toBeInstanceOf(Promise);
    expect(loads()).toBe(1);
  });

  it('that were refused are remembered too', async () => {
    const { plans, compiled } = start();
    expect(await plans.get('refused')).toEqual({ refused: [] });
    await plans.get('refused');
    expect(compiled).toEqual(['refused']);
  });

  it.each([{ entries: 10 }, { characters: 60 }])('are remembered within bounds: %j', async (bounds) => {
    const { plans, compiled } = start(bounds);
    for (let at = 0; at < 1000; at += 1) await plans.get(String(at).padStart(5));
    expect(compiled).toHaveLength(1000);
    for (let at = 990; at < 1000; at += 1) await plans.get(String(at).padStart(5));
    expect(compiled).toHaveLength(1000);
    await plans.get('    0');
    expect(compiled).toHaveLength(1001);
  });
});
