import { mapLeaves } from '../../schema/plan/map-branches.ts';
import type { RoutingPlan, Stage } from '../../schema/plan/plan.ts';

const withoutProbe = (stage: Stage): Stage => {
  if (stage.kind !== 'breaker') return stage;
  const { probe: _probe, ...rest } = stage;
  return rest;
};

/** Returns the plan without its probes. A replay is a single request, and sends no others. */
export const withoutProbes = (plan: RoutingPlan): RoutingPlan => ({
  ...plan,
  root: mapLeaves(plan.root, (leaf) => ({ ...leaf, stages: leaf.stages.map(withoutProbe) })),
});
