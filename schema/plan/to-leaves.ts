import type { LeafNode, PlanNode } from './plan.ts';
import { toBranches } from './to-branches.ts';

/** The leaves below a node, in the order of the plan. */
export const toLeaves = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? [node] : toBranches(node).flatMap(toLeaves);
