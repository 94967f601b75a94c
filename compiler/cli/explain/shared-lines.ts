import { leavesOf } from '../../../schema/plan/leaves-of.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { leafLines, type PlanWorld } from './leaf-lines.ts';

/** The lines that every leaf of a plan has, in the order of the first; none where there is only one leaf. */
export const sharedLines = ({ root, targets }: RoutingPlan, world: PlanWorld): readonly string[] => {
  const [first = [], ...others] = leavesOf(root).map((leaf) => {
    const target = targets[leaf.target];
    return target === undefined ? [] : leafLines(leaf, target, world);
  });
  return others.length === 0 ? [] : first.filter((line) => others.every((lines) => lines.includes(line)));
};
