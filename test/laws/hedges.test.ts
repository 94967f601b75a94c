import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { planScenario } from '../support/arbitraries/plan-scenario.ts';
import { runPlan } from '../support/in-process/run-plan.ts';
import { inBranchOrder } from '../support/plans/in-branch-order.ts';
import { listHedges } from '../support/plans/list-hedges.ts';
import { dearestLawRuns, dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const hedgedScenario = planScenario.filter(({ plan }) => listHedges(plan.root).length > 0);

describe('a fallback with a hedge', () => {
  it(
    'produces exactly the outcomes that the meaning of its plan contains',
    async () => {
      await fc.assert(
        fc.asyncProperty(hedgedScenario, async ({ plan, scenario }) => {
          expect(inBranchOrder(await runPlan(plan, scenario))).toEqual(inBranchOrder(planMeaning(plan, scenario)));
        }),
        dearestLawRuns,
      );
    },
    slowLawMs,
  );

  it(
    'hedges at most the percentage of its visits that the budget allows',
    () => {
      fc.assert(
        fc.property(hedgedScenario, ({ plan, scenario }) => {
          const most = Math.max(...listHedges(plan.root).map(({ budgetPercent }) => budgetPercent)) / 100;
          for (const { outcome } of planMeaning(plan, scenario)) {
            const asked = outcome.requests.map(({ trail }) => trail.filter(({ kind }) => kind === 'hedged').length);
            const fallbacks = listHedges(plan.root).length;
            const visits = outcome.requests.length * fallbacks;
            expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(visits * most);
          }
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );
});
