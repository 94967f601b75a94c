import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { formatNumber } from '../../../schema/text/format-count.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { formatUsd } from '../../../schema/text/format-usd.ts';
import type { Environment, TargetModel } from '../command-line/services.ts';

/** Formats billionths of a US dollar as a price: to the cent, or to a hundredth of a cent below a dollar. */
export const formatPrice = (nanoUsd: number): string => {
  const unit = nanoUsd >= 1e9 ? 1e7 : 1e5;
  return `$${formatUsd(Math.ceil(nanoUsd / unit) * unit)}`;
};

/** Finds the facts about the models that the targets of a plan call. */
export const targetModels = async (
  { targets }: Pick<RoutingPlan, 'targets'>,
  { targetModel }: Pick<Environment, 'targetModel'>,
): Promise<ReadonlyMap<Target, TargetModel>> => {
  const found = await Promise.all(targets.map(async (target) => [target, await targetModel?.(target)] as const));
  return new Map(found.flatMap(([target, model]) => (model === undefined ? [] : [[target, model] as const])));
};

/**
 * Describes the limits of the model that a target calls, and the cost of a call that uses them fully; empty if nothing is known.
 */
export const describeModel = (
  target: Target,
  models: ReadonlyMap<Target, TargetModel> | undefined,
): readonly string[] => {
  const { facts, output, nanoUsd } = models?.get(target) ?? {};
  if (facts === undefined) return [];
  const limits = [
    ...(facts.context === undefined ? [] : [`${formatNumber(facts.context)} tokens of context`]),
    ...(output === undefined ? [] : [`${formatNumber(output)} of an answer`]),
  ];
  return [
    ...(limits.length === 0
      ? []
      : [`at most ${formatList(limits)}${nanoUsd === undefined ? '' : `: such a call costs ${formatPrice(nanoUsd)}`}`]),
    ...(facts.deprecated === undefined ? [] : [`its model may be refused from ${facts.deprecated} on`]),
  ];
};
