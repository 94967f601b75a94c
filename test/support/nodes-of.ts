import type { PlanNode } from '../../schema/plan.ts';

/** A node and all below it, groups before their branches. */
export const nodesOf = (node: PlanNode): readonly PlanNode[] => {
  if (node.kind === 'leaf') return [node];
  const branches = node.kind === 'loadbalance' ? node.branches.map((branch) => branch.node) : node.branches;
  return [node, ...branches.flatMap(nodesOf)];
};
