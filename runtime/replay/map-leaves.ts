import type { NonEmptyArray } from '../../schema/json/json.ts';
import type { LeafNode, PlanNode } from '../../schema/plan/plan.ts';

/** The items of a list that has some, each changed. */
export const mapNonEmpty = <From, To>(
  [first, ...rest]: NonEmptyArray<From>,
  to: (item: From) => To,
): NonEmptyArray<To> => [to(first), ...rest.map(to)];

/** The same tree with changed leaves. */
export const mapLeaves = (node: PlanNode, change: (leaf: LeafNode) => LeafNode): PlanNode => {
  const go = (child: PlanNode): PlanNode => mapLeaves(child, change);
  switch (node.kind) {
    case 'leaf':
      return change(node);
    case 'loadbalance':
      return { ...node, branches: mapNonEmpty(node.branches, (branch) => ({ ...branch, node: go(branch.node) })) };
    default:
      return { ...node, branches: mapNonEmpty(node.branches, go) };
  }
};
