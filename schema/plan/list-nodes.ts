import { listBranches } from './list-branches.ts';
import type { ConditionalNode, PlanNode } from './plan.ts';

/** A node and all below it, in the order of the plan. */
export const listNodes = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.kind === 'leaf' ? [] : listBranches(node).flatMap(listNodes)),
];

/** The conditionals among a node and all below it, in the order of the plan. */
export const listConditionals = (node: PlanNode): readonly ConditionalNode[] =>
  listNodes(node).flatMap((each) => (each.kind === 'conditional' ? [each] : []));
