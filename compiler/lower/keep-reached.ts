import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { PlanNode, Target } from '../../schema/plan/plan.ts';
import { mapBranches } from '../optimise/map-branches.ts';

const renumbered = (node: PlanNode, indexOf: ReadonlyMap<number, number>): PlanNode =>
  node.kind === 'leaf'
    ? { ...node, target: indexOf.get(node.target) ?? node.target }
    : mapBranches(node, (branch) => renumbered(branch, indexOf));

/** The plan without the targets that no leaf names any more: the table says what a plan can reach. */
export const keepReached = (
  root: PlanNode,
  targets: readonly Target[],
): { readonly root: PlanNode; readonly targets: readonly Target[] } => {
  const reached = [...new Set(listLeaves(root).map(({ target }) => target))].sort((a, b) => a - b);
  if (reached.length === targets.length) return { root, targets };
  const indexOf = new Map(reached.map((old, index) => [old, index]));
  return { root: renumbered(root, indexOf), targets: reached.flatMap((old) => targets[old] ?? []) };
};
