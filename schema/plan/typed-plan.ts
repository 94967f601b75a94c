import type { RoutingPlan } from './plan.ts';

declare const planNames: unique symbol;

/** The names in a plan's type, for callers, secrets and route tests. */
export interface PlanNames {
  /** The ids of its targets. */
  readonly target: string;
  /** The metadata that its conditions read. */
  readonly metadata: object;
  /** The environment variables that contain its secrets. */
  readonly secrets: object;
}

/** A plan whose names are known to the type checker. At run time it is a plain `RoutingPlan`. */
export type Plan<Names extends PlanNames = PlanNames> = RoutingPlan & { readonly [planNames]?: Names };

/** The names of a plan's type. */
export type NamesOf<Typed> = Typed extends { readonly [planNames]?: infer Names extends PlanNames } ? Names : PlanNames;
