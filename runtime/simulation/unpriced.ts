import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Returns a plan without its cost limit, which would refuse every attempt where there are no prices. */
export const unpriced = ({ maxCostUsd: _maxCostUsd, ...plan }: RoutingPlan): RoutingPlan => plan;
