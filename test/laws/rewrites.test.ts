import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/meaning/meaning.ts';
import { observableMeaning } from '../../compiler/meaning/observable-meaning.ts';
import type { Meaning } from '../../compiler/meaning/outcome.ts';
import type { Scenario } from '../../compiler/meaning/scenario.ts';
import { rewritePlan, rewriteWith } from '../../compiler/optimise/rewrite-plan.ts';
import { rewrites } from '../../compiler/optimise/rewrites.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { PlanParts } from '../support/arbitraries/plan.ts';
import { partsScenario } from '../support/arbitraries/plan-scenario.ts';
import { dearLawRuns, lawRuns, slowLawMs } from '../support/law-runs.ts';

const observed = (plan: PlanParts, root: PlanNode, scene: Scenario): Meaning =>
  observableMeaning(planMeaning({ ...plan, root }, scene));

/** Every run is one where the laws change the plan. */
const expectSameMeaning = (plan: PlanParts, rewritten: PlanNode, scene: Scenario): void => {
  fc.pre(rewritten !== plan.root);
  expect(observed(plan, rewritten, scene)).toEqual(observed(plan, plan.root, scene));
};

describe('a rewrite keeps the meaning of a plan', { timeout: slowLawMs }, () => {
  it.each(rewrites)('$name: $law', (law) => {
    fc.assert(
      fc.property(partsScenario, ({ plan, scenario }) => {
        expectSameMeaning(plan, rewriteWith(plan.root, [law]), scenario);
      }),
      dearLawRuns,
    );
  });

  it('all together', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan, scenario }) => {
        expectSameMeaning(plan, rewritePlan(plan.root), scenario);
      }),
      lawRuns,
    );
  });
});
