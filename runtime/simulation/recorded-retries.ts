import type { JsonPointer } from '../../schema/json/pointer.ts';
import { mapLeaves } from '../../schema/plan/map-branches.ts';
import type { PlanNode, Stage } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';

/**
 * Returns a plan whose leaves retry as often as they did when a request was recorded. A leaf that stopped earlier may have had no
 * time left for a wait.
 */
export const recordedRetries = (root: PlanNode, trail: readonly TrailEvent[]): PlanNode => {
  const retriesAt = (path: JsonPointer): number =>
    trail.filter((event) => event.kind === 'retried' && event.path === path).length;
  const recordedStage = (stage: Stage, path: JsonPointer): Stage =>
    stage.kind === 'retry' ? { ...stage, attempts: Math.min(stage.attempts, retriesAt(path)) } : stage;
  return mapLeaves(root, (leaf) => ({
    ...leaf,
    stages: leaf.stages.map((stage) => recordedStage(stage, leaf.path)),
  }));
};
