import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import { listCalledLeaves } from '../../schema/plan/list-leaves.ts';
import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { LeafNode, PlanNode, Target } from '../../schema/plan/plan.ts';

const renumberedLeaf = (leaf: LeafNode, indexOf: ReadonlyMap<number, number>): LeafNode => ({
  ...leaf,
  target: indexOf.get(leaf.target) ?? leaf.target,
});

const renumbered = (node: PlanNode, indexOf: ReadonlyMap<number, number>): PlanNode => {
  const below =
    node.kind === 'leaf' ? renumberedLeaf(node, indexOf) : mapBranches(node, (branch) => renumbered(branch, indexOf));
  const { mirrors } = node;
  return mirrors === undefined
    ? below
    : {
        ...below,
        mirrors: mapNonEmpty(mirrors, (mirror) => ({ ...mirror, leaf: renumberedLeaf(mirror.leaf, indexOf) })),
      };
};

/** Returns the plan without the targets that no leaf names any more, because the table states what a plan can reach. */
export const keepReached = (
  root: PlanNode,
  targets: readonly Target[],
): { readonly root: PlanNode; readonly targets: readonly Target[] } => {
  const reached = [...new Set(listCalledLeaves(root).map(({ target }) => target))].sort((a, b) => a - b);
  if (reached.length === targets.length) return { root, targets };
  const indexOf = new Map(reached.map((old, index) => [old, index]));
  return { root: renumbered(root, indexOf), targets: reached.flatMap((old) => targets[old] ?? []) };
};
