import { listNodes, listNodesOf } from './list-branches.ts';
import type { LeafNode, Mirror, PlanNode } from './plan.ts';

/** Lists the leaves below a node, in the order of the plan. */
export const listLeaves = (node: PlanNode): readonly LeafNode[] => listNodesOf('leaf', node);

/** Lists the mirrors of a node and of all nodes below it, in the order of the plan. */
export const listMirrors = (node: PlanNode): readonly Mirror[] =>
  listNodes(node).flatMap(({ mirrors = [] }) => mirrors);

/** Lists the leaves below a node, including those of mirrors: everything that may be called. */
export const listCalledLeaves = (node: PlanNode): readonly LeafNode[] => [
  ...listLeaves(node),
  ...listMirrors(node).map(({ leaf }) => leaf),
];
