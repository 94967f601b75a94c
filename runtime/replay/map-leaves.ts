import type { NonEmptyArray } from '../../schema/json/json.ts';
import type { LeafNode, PlanNode } from '../../schema/plan/plan.ts';

/** Maps a list of which it is known that it is not empty. */
export const mapAll = <From, To>([first, ...rest]: NonEmptyArray<From>, to: (item: From) => To): NonEmptyArray<To> => [
  to(first),
  ...rest.map(to),
];

/** The same tree with changed leaves. */
export const mapLeaves = (node: PlanNode, change: (leaf: LeafNode) => LeafNode): PlanNode => {
  const go = (child: PlanNode): PlanNode => mapLeaves(child, change);
  switch (node.kind) {
    case 'leaf':
      return change(node);
    case 'loadbalance':
      return { ...node, branches: mapAll(node.branches, (branch) => ({ ...branch, node: go(branch.node) })) };
    default:
      return { ...node, branches: mapAll(node.branches, go) };
  }
};
