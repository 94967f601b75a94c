import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { Environment, TargetModel } from '../command-line/services.ts';

/** Finds the facts of the models that the targets of a plan call. */
export const targetModels = async (
  { targets }: Pick<RoutingPlan, 'targets'>,
  { targetModel }: Pick<Environment, 'targetModel'>,
): Promise<ReadonlyMap<Target, TargetModel>> => {
  const found = await Promise.all(targets.map(async (target) => [target, await targetModel?.(target)] as const));
  return new Map(found.flatMap(([target, model]) => (model === undefined ? [] : [[target, model] as const])));
};
