import type { Lack } from '../../../schema/model-facts/lack.ts';
import { listBranches } from '../../../schema/plan/list-branches.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';
import type { RequestScript } from '../../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { mayBeUnavailable } from '../../optimise/may-be-unavailable.ts';

type Lacked = readonly (readonly [leaf: string, lacks: readonly Lack[]])[];

/** Stands for an ability that was not recorded, because the group that would have reported it was not reached. */
const unknown: readonly Lack[] = ['operation'];

const lackedBelow = (node: PlanNode, lacks: readonly Lack[]): Lacked =>
  listLeaves(node).map(({ path }) => [path, lacks]);

/** A skipped group was unavailable. If it requires able branches, those without a circuit must have been unable. */
const lackedBelowSkipped = (node: PlanNode): Lacked => {
  if (node.kind === 'leaf') return [];
  const isJudged = node.kind !== 'conditional' && node.require !== undefined;
  return listBranches(node).flatMap((branch) =>
    isJudged && !mayBeUnavailable(branch) ? lackedBelow(branch, unknown) : lackedBelowSkipped(branch),
  );
};

const findLacked = (node: PlanNode, trail: readonly TrailEvent[]): Lacked => {
  if (node.kind === 'leaf') return [];
  const unable = trail.find((event) => event.kind === 'unable' && event.path === node.path);
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  return listBranches(node).flatMap((branch, index) => {
    const found = unable?.kind === 'unable' ? unable.branches.find((each) => each.branch === index) : undefined;
    if (found !== undefined) return lackedBelow(branch, found.lacks);
    return skipped?.kind === 'skipped' && skipped.branches.includes(index)
      ? lackedBelowSkipped(branch)
      : findLacked(branch, trail);
  });
};

/** Lists what leaves could not serve for a recorded request, according to the branches that its groups skipped. */
export const recordedLacks = (root: PlanNode, trail: readonly TrailEvent[]): NonNullable<RequestScript['missingAt']> =>
  Object.fromEntries(findLacked(root, trail));
