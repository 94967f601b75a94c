import type { GroupNode, PlanNode } from './plan.ts';

/** A group's branches, in the order of the plan. */
export const listBranches = (node: GroupNode): readonly PlanNode[] =>
  node.kind === 'loadbalance' ? node.branches.map((branch) => branch.node) : node.branches;
