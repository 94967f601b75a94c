import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import type { JsonPointer } from '../../schema/json/pointer.ts';
import { listBranches } from '../../schema/plan/list-branches.ts';
import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { ConditionalNode, PlanNode } from '../../schema/plan/plan.ts';
import { reachableBranches } from '../semantics/reachable-branches.ts';

/** The branch that each conditional takes, by its path, for the conditionals that requests of one kind reach. */
export type Choices = ReadonlyMap<JsonPointer, number>;

const crossed = (all: readonly Choices[], further: readonly Choices[], max: number): readonly Choices[] =>
  all.flatMap((one) => further.slice(0, max).map((other) => new Map([...one, ...other]))).slice(0, max);

/**
 * Lists the kinds of requests that conditionals distinguish, at most `max`. Requests of one kind reach the same conditionals and
 * take the same branches.
 */
export const listKinds = (node: PlanNode, max: number): readonly Choices[] => {
  if (node.kind === 'leaf') return [new Map()];
  if (node.kind !== 'conditional')
    return listBranches(node).reduce<readonly Choices[]>(
      (all, branch) => crossed(all, listKinds(branch, max), max),
      [new Map()],
    );
  const reachable = new Set(reachableBranches(node));
  return [...node.branches.entries()]
    .filter(([, branch]) => reachable.has(branch))
    .flatMap(([index, branch]) => listKinds(branch, max).map((kind) => new Map([[node.path, index], ...kind])))
    .slice(0, max);
};

export const chosenBy =
  (choices: Choices) =>
  ({ path, otherwise }: ConditionalNode): number =>
    choices.get(path) ?? otherwise;

/** Returns a plan as requests of one kind see it, with each conditional replaced by the branch that they take. */
export const ofKind = (node: PlanNode, choices: Choices): PlanNode => {
  const below = mapBranches(node, (branch) => ofKind(branch, choices));
  if (below.kind !== 'conditional') return below;
  const taken = below.branches[chosenBy(choices)(below)];
  return taken === undefined
    ? below
    : { ...below, branches: mapNonEmpty([taken], (branch) => branch), cases: [], otherwise: 0 };
};
