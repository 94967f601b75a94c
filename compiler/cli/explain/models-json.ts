import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import { worstCost } from '../../semantics/bounds.ts';
import type { TargetModel } from '../command-line/services.ts';

const usd = (nanoUsd: number): number => nanoUsd / nanoPerUsd;

/** Returns the limits of the models of a plan's targets, and the cost of a request in which every call uses them fully. */
export const modelsJson = (plan: RoutingPlan, models: ReadonlyMap<Target, TargetModel>): JsonObject => {
  const worst = worstCost(plan, (target) => models.get(target)?.nanoUsd);
  return {
    targets: [...models].map(([{ id }, { facts, output, nanoUsd }]) => ({
      ...{ target: id, provider: facts.provider, model: facts.model },
      ...(facts.context !== undefined && { context: facts.context }),
      ...(output !== undefined && { output }),
      ...(facts.deprecated !== undefined && { deprecated: facts.deprecated }),
      ...(nanoUsd !== undefined && { usd: usd(nanoUsd) }),
    })),
    ...(worst !== undefined && { usd: usd(worst) }),
  };
};
