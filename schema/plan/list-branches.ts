import type { GroupNode, PlanNode } from './plan.ts';

/** Lists a group's branches, in the order of the plan. */
export const listBranches = (node: GroupNode): readonly PlanNode[] =>
  node.kind === 'loadbalance' ? node.branches.map((branch) => branch.node) : node.branches;

/** Lists the branches that a group can use at all; those of weight 0 are never drawn. */
export const usableBranches = (node: GroupNode): readonly PlanNode[] =>
  node.kind === 'loadbalance'
    ? node.branches.filter(({ weight }) => weight > 0).map((branch) => branch.node)
    : node.branches;

/** Lists a node and all nodes below it, in the order of the plan. */
export const listNodes = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.kind === 'leaf' ? [] : listBranches(node).flatMap(listNodes)),
];

/** Lists the nodes of one kind among a node and all nodes below it, in the order of the plan. */
export const listNodesOf = <Kind extends PlanNode['kind']>(
  kind: Kind,
  node: PlanNode,
): readonly Extract<PlanNode, { readonly kind: Kind }>[] =>
  listNodes(node).filter((each): each is Extract<PlanNode, { readonly kind: Kind }> => each.kind === kind);
