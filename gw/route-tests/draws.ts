import type { Choose } from '../../compiler/semantics/enumerate.ts';
import type { Chance } from '../../runtime/ports/chance.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { listNodes } from '../../schema/plan/list-branches.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Lists the targets of each branch of each load balance, by its place. */
const targetsOfBranches = ({ root, targets }: RoutingPlan): ReadonlyMap<JsonPointer, readonly ReadonlySet<string>[]> =>
  new Map(
    listNodes(root).flatMap((node) =>
      node.kind === 'loadbalance'
        ? [
            [
              node.path,
              node.branches.map(
                (branch) => new Set(listLeaves(branch.node).flatMap(({ target }) => targets[target]?.id ?? [])),
              ),
            ] as const,
          ]
        : [],
    ),
  );

/** Draws the branch of a preferred target, or else the heaviest branch, or the first of equals; for waits, the longest. */
export const preferredDraws = (plan: RoutingPlan, prefer: () => readonly string[]): Chance => {
  const branches = targetsOfBranches(plan);
  return {
    pick: ({ path }, weights) => {
      const preferred = prefer();
      const has = (index: number): boolean => preferred.some((target) => branches.get(path)?.[index]?.has(target));
      const index = weights.findIndex((weight, at) => weight > 0 && has(at));
      return index === -1 ? weights.indexOf(Math.max(...weights)) : index;
    },
    between: (_at, _from, to) => to,
  };
};

/** Draws each branch in one of several runs; for waits, the longest. */
export const exhaustiveDraws = (choose: Choose): Chance => ({
  pick: (_at, weights) => choose(weights),
  between: (_at, _from, to) => to,
});
