import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { ReachedLeaf, Run } from '../call/run.ts';
import type { RequiredBranches, RequiringGroup } from '../capabilities/required-branches.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { branchAt } from './branch-at.ts';
import type { LinkedNode } from './linked-node.ts';

/** Returns a group that calls only branches that are able to serve a request. */
export const requiringGroup = (group: RequiringGroup, { stageCode, abilities }: PlanContext): RequiredBranches =>
  stageCode.abilities().linkRequired(group, abilities());

/** Returns the leaves that a run can reach below these branches, available or not. Read once per request. */
export const reachedLeaves = (
  branches: readonly LinkedNode[],
  all: readonly number[],
  run: Run,
): readonly ReachedLeaf[] => {
  const reached: ReachedLeaf[] = [];
  for (const branch of all) for (const leaf of branchAt(branches, branch).reaches(run)) reached.push(leaf);
  return reached;
};

/** Returns the available branches of `all`. Reads each of them, so that everything below a group is read at the same time. */
const readBranches = (branches: readonly LinkedNode[], all: readonly number[], run: Run): readonly number[] =>
  all.filter((branch) => branchAt(branches, branch).available(run));

/** Whether a group with these able branches is available, if it cannot answer by itself. */
export const isAnyAvailable = (branches: readonly LinkedNode[], able: readonly number[], run: Run): boolean =>
  able.length === 0 || readBranches(branches, able, run).length > 0;
/** Returns the branches of a group that a run may use: the available ones, or all if none is available. */
export const usableBranches = (
  branches: readonly LinkedNode[],
  all: readonly number[],
  run: Run,
): readonly number[] => {
  const available = readBranches(branches, all, run);
  return available.length === 0 || available.length === all.length ? all : available;
};

/**
 * Returns the indexes of the branches of a group that a run may use. Unavailable ones are skipped and recorded in the trail,
 * unless none would remain. `all` are the indexes that can be chosen at all.
 */
export const availableBranches = (
  path: JsonPointer,
  branches: readonly LinkedNode[],
  { all, run }: { readonly all: readonly number[]; readonly run: Run },
): readonly number[] => {
  const usable = usableBranches(branches, all, run);
  if (usable === all) return all;
  run.exchange.trail.push({ kind: 'skipped', path, branches: all.filter((branch) => !usable.includes(branch)) });
  return usable;
};
