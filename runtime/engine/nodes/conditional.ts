import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { conditionMatcher } from '../../../schema/plan/condition-matcher.ts';
import type { ConditionalNode } from '../../../schema/plan/plan.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { branchAt } from './branch-at.ts';
import type { LinkBranch } from './link-branch.ts';
import type { LinkedNode } from './linked-node.ts';

/** Executes the branch of the first case that applies, or that of `otherwise`. Availability is not considered. */
export const linkConditional = (node: ConditionalNode, context: PlanContext, linkBranch: LinkBranch): LinkedNode => {
  const { path, otherwise } = node;
  const branches = node.branches.map((branch) => linkBranch(branch, context));
  const cases = node.cases.map(({ when, branch }) => ({ holds: conditionMatcher(when), branch }));
  const chosenBy = ({ facts }: Exchange): number => cases.find(({ holds }) => holds(facts))?.branch ?? otherwise;
  return {
    hasCircuit: branches.some((branch) => branch.hasCircuit),
    available: (run) => branchAt(branches, chosenBy(run.exchange)).available(run),
    reaches: (run) => branchAt(branches, chosenBy(run.exchange)).reaches(run),
    mayProbe: (run) => branchAt(branches, chosenBy(run.exchange)).mayProbe(run),
    calls: (slug, run) => branchAt(branches, chosenBy(run.exchange)).calls(slug, run),
    callsOnly: (provider, run) => branchAt(branches, chosenBy(run.exchange)).callsOnly(provider, run),
    execute(run) {
      const branch = chosenBy(run.exchange);
      run.exchange.trail.push({ kind: 'chose', path, branch });
      return branchAt(branches, branch).execute(run);
    },
  };
};
