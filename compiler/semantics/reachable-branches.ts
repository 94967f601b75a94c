import { usableBranches } from '../../schema/plan/list-branches.ts';
import type { GroupNode, PlanNode } from '../../schema/plan/plan.ts';
import { branchesUntilEnd } from '../optimise/branches-until-end.ts';
import { constantCondition } from '../optimise/constant-condition.ts';

const conditionalBranches = (node: Extract<GroupNode, { kind: 'conditional' }>): readonly PlanNode[] => {
  const always = node.cases.findIndex(({ when }) => constantCondition(when) === true);
  const asked = always === -1 ? node.cases : node.cases.slice(0, always + 1);
  const chosen = new Set(asked.filter(({ when }) => constantCondition(when) !== false).map(({ branch }) => branch));
  if (always === -1) chosen.add(node.otherwise);
  return node.branches.filter((_, index) => chosen.has(index));
};

/** Returns the branches of a group that some request can reach; at least one. */
export const reachableBranches = (node: GroupNode): readonly PlanNode[] => {
  switch (node.kind) {
    case 'loadbalance':
      return usableBranches(node);
    case 'fallback':
      return branchesUntilEnd(node);
    case 'conditional':
      return conditionalBranches(node);
  }
};
