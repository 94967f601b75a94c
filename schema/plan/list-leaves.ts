import { listBranches } from './list-branches.ts';
import type { LeafNode, Mirror, PlanNode } from './plan.ts';

/** The leaves below a node, in the order of the plan. */
export const listLeaves = (node: PlanNode): readonly LeafNode[] =>
  node.kind === 'leaf' ? [node] : listBranches(node).flatMap(listLeaves);

/** The mirrors of a node and of those below it, in the order of the plan. */
export const listMirrors = (node: PlanNode): readonly Mirror[] => [
  ...(node.mirrors ?? []),
  ...(node.kind === 'leaf' ? [] : listBranches(node).flatMap(listMirrors)),
];

/** The leaves below a node with those of its mirrors: all that may be called. */
export const listCalledLeaves = (node: PlanNode): readonly LeafNode[] => [
  ...listLeaves(node),
  ...listMirrors(node).map(({ leaf }) => leaf),
];
