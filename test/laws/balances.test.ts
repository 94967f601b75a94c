import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { choosers } from '../../plugins/choosers/choosers.ts';
import { canonicalJson } from '../../schema/json/canonical.ts';
import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import type { LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { sealed } from '../support/arbitraries/plan.ts';
import { partsScenario, spread } from '../support/arbitraries/plan-scenario.ts';
import { runPlan } from '../support/in-process/run-plan.ts';
import { inBranchOrder } from '../support/plans/in-branch-order.ts';
import { dearestLawRuns, slowLawMs } from '../support/run/law-runs.ts';

type Balance = Pick<LoadbalanceNode, 'balance' | 'sticky'>;

const balance: fc.Arbitrary<Balance> = fc.record(
  {
    balance: fc.constantFrom(...choosers.map(({ id }) => id)),
    sticky: fc.record({
      by: fc.constantFrom('metadata.tier', 'user', 'prompt-prefix'),
      ttlS: fc.constantFrom(1, 3600),
    }),
  },
  { requiredKeys: [] },
);

const withBalance = (node: PlanNode, given: Balance): PlanNode => {
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance':
      return {
        ...node,
        ...given,
        branches: mapNonEmpty(node.branches, (branch) => ({ ...branch, node: withBalance(branch.node, given) })),
      };
    case 'fallback':
    case 'conditional':
      return { ...node, branches: mapNonEmpty(node.branches, (branch) => withBalance(branch, given)) };
  }
};

const hasBalance = (node: PlanNode): boolean =>
  node.kind === 'loadbalance' ||
  ((node.kind === 'fallback' || node.kind === 'conditional') && node.branches.some(hasBalance));

/** Small, because a chooser draws several times for each choice. */
const maxSpread = 12;

const balancedScenario = fc
  .tuple(
    partsScenario.filter(({ plan }) => hasBalance(plan.root) && spread(plan.root, plan.targets) <= maxSpread),
    balance,
  )
  .map(([{ plan, scenario }, given]) => ({
    plan: sealed({ ...plan, root: withBalance(plan.root, given) }),
    scenario: { ...scenario, requests: scenario.requests.slice(0, 2) },
  }));

describe('a load balance with a chooser or with sticky keys', () => {
  it(
    'produces only outcomes that the meaning of its plan contains, whichever branch is chosen',
    async () => {
      await fc.assert(
        fc.asyncProperty(balancedScenario, async ({ plan, scenario }) => {
          const meant = new Set(
            inBranchOrder(planMeaning(plan, scenario)).map(({ outcome }) => canonicalJson(outcome as never)),
          );
          for (const { outcome } of inBranchOrder(await runPlan(plan, scenario)))
            expect(meant).toContain(canonicalJson(outcome as never));
        }),
        dearestLawRuns,
      );
    },
    slowLawMs,
  );
});
