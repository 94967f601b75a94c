import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/meaning/meaning.ts';
import { planScenario } from '../support/arbitraries/plan-scenario.ts';
import { inBranchOrder } from '../support/in-branch-order.ts';
import { dearLawRuns, slowLawMs } from '../support/law-runs.ts';
import { runPlan } from '../support/run-plan.ts';

describe('running a plan', () => {
  it(
    'gives exactly what the plan means',
    async () => {
      await fc.assert(
        fc.asyncProperty(planScenario, async ({ plan, scenario }) => {
          expect(inBranchOrder(await runPlan(plan, scenario))).toEqual(inBranchOrder(planMeaning(plan, scenario)));
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );
});
