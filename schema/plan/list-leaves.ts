import { listBranches } from './list-branches.ts';
import type { LeafNode, PlanNode } from './plan.ts';

/** The leaves below a node, in the order of the plan. */
export const listLeaves = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? [node] : listBranches(node).flatMap(listLeaves);
