import type { RoutingPlan } from './plan.ts';

declare const planNames: unique symbol;

/** What a plan's types know of it: the names that callers, secrets and route tests may use. */
export interface PlanNames {
  /** The ids of its targets. */
  readonly target: string;
  /** What its conditions read of a request's metadata. */
  readonly metadata: object;
  /** The environment variables that hold its secrets. */
  readonly secrets: object;
}

/** A plan whose names are known to the type checker. At run time it is a `RoutingPlan` and nothing more. */
export type Plan<Names extends PlanNames = PlanNames> = RoutingPlan & { readonly [planNames]?: Names };

/** The names of a plan's type. */
export type NamesOf<Typed> = Typed extends { readonly [planNames]?: infer Names extends PlanNames } ? Names : PlanNames;
