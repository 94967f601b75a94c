import { branchesOf } from './branches-of.ts';
import type { LeafNode, PlanNode } from './plan.ts';

/** The leaves below a node, in the order of the plan. */
export const leavesOf = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? [node] : branchesOf(node).flatMap(leavesOf);
