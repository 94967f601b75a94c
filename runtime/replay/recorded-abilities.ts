import type { JsonPointer } from '../../schema/json/pointer.ts';
import type { Lack } from '../../schema/model-facts/lack.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import { listBranches } from '../../schema/plan/list-branches.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { Abilities } from '../engine/call/abilities.ts';

type Lacked = readonly (readonly [leaf: JsonPointer, lacks: readonly Lack[]])[];

/** What stands for what is not recorded: no group that could say it was asked. */
const unknown: readonly Lack[] = ['operation'];

const lackedBelow = (node: PlanNode, lacks: readonly Lack[]): Lacked =>
  listLeaves(node).map(({ path }) => [path, lacks]);

/** Below a branch that was skipped, each leaf has an open circuit or is unable: a leaf without a circuit is the latter. */
const lackedBelowSkipped = (node: PlanNode): Lacked =>
  listLeaves(node).flatMap((leaf): Lacked => (findStage(leaf, 'breaker') === undefined ? [[leaf.path, unknown]] : []));

const findLacked = (node: PlanNode, trail: readonly TrailEvent[]): Lacked => {
  if (node.kind === 'leaf') return [];
  const unable = trail.find((event) => event.kind === 'unable' && event.path === node.path);
  const skipped = trail.find((event) => event.kind === 'skipped' && event.path === node.path);
  return listBranches(node).flatMap((branch, index) => {
    const found =
      unable?.kind === 'unable' ? unable.branches.find((each) => each.branch === index) : undefined;
    if (found !== undefined) return lackedBelow(branch, found.lacks);
    if (skipped?.kind === 'skipped' && skipped.branches.includes(index)) return lackedBelowSkipped(branch);
    return findLacked(branch, trail);
  });
};

/** What targets could not do, as the trail of one request says by the branches that groups left out. */
export const recordedAbilities = (root: PlanNode, trail: readonly TrailEvent[]): Abilities => {
  const lacked = new Map(findLacked(root, trail));
  return { ready: () => undefined, lacks: (_run, { leaf }) => lacked.get(leaf.path) ?? [] };
};
