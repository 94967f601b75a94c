import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { listReachable, type Reachable } from './reachable.ts';

/** How much of a config the tests cover. */
export interface ConfigCoverage {
  /** The name of the config in messages. */
  readonly config: string;
  readonly reached: number;
  readonly total: number;
  /** The things that no test reaches, in the order of the config. */
  readonly missing: readonly Pick<Reachable, 'kind' | 'what' | 'place'>[];
}

/** Compares what requests can do on a plan with what those of the tests did. */
export const configCoverage = (
  config: string,
  plan: RoutingPlan,
  trails: readonly (readonly TrailEvent[])[],
): ConfigCoverage => {
  const reachable = listReachable(plan);
  const missing = reachable.filter(({ isReached }) => !trails.some(isReached));
  return {
    config,
    reached: reachable.length - missing.length,
    total: reachable.length,
    missing: missing.map(({ kind, what, place }) => ({ kind, what, place })),
  };
};

/** Returns the percentage that is reached, rounded down, so that only complete coverage is 100. */
export const percentReached = (all: readonly Pick<ConfigCoverage, 'reached' | 'total'>[]): number => {
  const total = all.reduce((sum, each) => sum + each.total, 0);
  const reached = all.reduce((sum, each) => sum + each.reached, 0);
  return total === 0 ? 100 : Math.floor((100 * reached) / total);
};
