import type { PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';

/** The one branch that a visit of this group can take. */
const onlyBranch = (node: PlanNode): PlanNode | undefined => {
  switch (node.kind) {
    case 'leaf':
      return undefined;
    case 'loadbalance':
      return node.branches.length === 1 && node.require === undefined ? node.branches[0].node : undefined;
    case 'fallback':
      return node.branches.length === 1 && node.require === undefined ? node.branches[0] : undefined;
    case 'conditional':
      return node.branches.length === 1 ? node.branches[0] : undefined;
  }
};

/**
 * A group with one branch takes it whether it is available or not, and is as available as it, whatever the trigger or
 * the conditions say, unless it requires that the branch is able to serve the request. (The weight of an only branch is above 0, or the plan would not be one.)
 */
export const collapseSingleBranch: Rewrite = {
  name: 'collapse-single-branch',
  law: 'group[a] = a, where the group requires nothing',
  rewrite: (node) => onlyBranch(node) ?? node,
};
