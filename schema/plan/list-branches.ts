import type { ConditionalNode, GroupNode, PlanNode } from './plan.ts';

/** Lists a group's branches, in the order of the plan. */
export const listBranches = (node: GroupNode): readonly PlanNode[] =>
  node.kind === 'loadbalance' ? node.branches.map((branch) => branch.node) : node.branches;

/** Lists a node and all nodes below it, in the order of the plan. */
export const listNodes = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.kind === 'leaf' ? [] : listBranches(node).flatMap(listNodes)),
];

/** Lists the conditionals among a node and all nodes below it, in the order of the plan. */
export const listConditionals = (node: PlanNode): readonly ConditionalNode[] =>
  listNodes(node).flatMap((each) => (each.kind === 'conditional' ? [each] : []));
