import { listBranches } from './list-branches.ts';
import type { LeafNode, Mirror, PlanNode } from './plan.ts';

/** Lists the leaves below a node, in the order of the plan. */
export const listLeaves = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? [node] : listBranches(node).flatMap(listLeaves);

/** Lists the mirrors of a node and of all nodes below it, in the order of the plan. */
export const listMirrors = (node: PlanNode): readonly Mirror[] => [
  ...(node.mirrors ?? []),
  ...(node.kind === 'leaf' ? [] : listBranches(node).flatMap(listMirrors)),
];

/** Lists the leaves below a node, including those of mirrors: everything that may be called. */
export const listCalledLeaves = (node: PlanNode): readonly LeafNode[] => [
  ...listLeaves(node),
  ...listMirrors(node).map(({ leaf }) => leaf),
];
