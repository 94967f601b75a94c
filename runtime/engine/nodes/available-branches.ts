import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { RequiredBranches, RequiringGroup } from '../abilities/required-branches.ts';
import type { ReachedLeaf, Run } from '../call/run.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { branchAt } from './branch-at.ts';
import type { LinkedNode } from './linked-node.ts';

/** A group that asks only branches which are able to serve a request. */
export const requiringGroup = (group: RequiringGroup, { stageCode, abilities }: PlanContext): RequiredBranches =>
  stageCode.abilities().linkRequired(group, abilities());

/** The leaves that a run can come to below these branches, whether they are available or not. Every request asks for them once. */
export const reachedLeaves = (
  branches: readonly LinkedNode[],
  all: readonly number[],
  run: Run,
): readonly ReachedLeaf[] => {
  const reached: ReachedLeaf[] = [];
  for (const branch of all) for (const leaf of branchAt(branches, branch).reaches(run)) reached.push(leaf);
  return reached;
};

/** Those of `all` that are available. Each is read, so that everything below a group is read at the same time. */
const readBranches = (branches: readonly LinkedNode[], all: readonly number[], run: Run): readonly number[] =>
  all.filter((branch) => branchAt(branches, branch).available(run));

/** Whether a group is available of which these branches are able: one without any answers by itself. */
export const isAnyAvailable = (branches: readonly LinkedNode[], able: readonly number[], run: Run): boolean =>
  able.length === 0 || readBranches(branches, able, run).length > 0;
/** The branches of a group that a run may use: the available ones, or all if none is. */
export const usableBranches = (
  branches: readonly LinkedNode[],
  all: readonly number[],
  run: Run,
): readonly number[] => {
  const available = readBranches(branches, all, run);
  return available.length === 0 || available.length === all.length ? all : available;
};

/**
 * The branches of a group that a run may use, as indexes. Unavailable ones are left out and recorded in the trail, unless
 * none would be left. `all` are the indexes that can be chosen at all.
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
