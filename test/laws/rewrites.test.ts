import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewritePlan, rewriteWith } from '../../compiler/optimise/rewrite-plan.ts';
import { rewrites } from '../../compiler/optimise/rewrites.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { observableMeaning } from '../../compiler/semantics/observable-meaning.ts';
import type { Meaning } from '../../compiler/semantics/outcome.ts';
import type { Scenario } from '../../compiler/semantics/scenario.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { PlanParts } from '../support/arbitraries/plan.ts';
import { bounded, feasibleParts } from '../support/arbitraries/plan-scenario.ts';
import { scenario } from '../support/arbitraries/scenario.ts';
import { dearestLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const observed = (plan: PlanParts, root: PlanNode, scene: Scenario): Meaning =>
  observableMeaning(planMeaning({ ...plan, root }, scene));

/**
 * How many scenarios are tried for each plan. Most generated plans are not changed by a law, so each changed one is expensive.
 */
const scenes = 2;

/** Draws only plans that the laws change, and scenarios only for those plans. */
const keepsMeaning = (rewrite: (root: PlanNode) => PlanNode) =>
  fc.property(
    feasibleParts.filter(({ root }) => rewrite(root) !== root),
    fc.array(scenario, { minLength: scenes, maxLength: scenes }),
    (plan, drawn) => {
      const rewritten = rewrite(plan.root);
      for (const scene of drawn.map((each) => bounded(each, plan)))
        expect(observed(plan, rewritten, scene)).toEqual(observed(plan, plan.root, scene));
    },
  );

describe('the meaning of a plan', { timeout: slowLawMs }, () => {
  it.each(rewrites)('is unchanged by $name: $law', (law) => {
    fc.assert(
      keepsMeaning((root) => rewriteWith(root, [law])),
      dearestLawRuns,
    );
  });

  it('is unchanged by all rewrites together', () => {
    fc.assert(keepsMeaning(rewritePlan), dearestLawRuns);
  });
});
