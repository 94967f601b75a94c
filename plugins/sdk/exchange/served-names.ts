import type { JsonPointer } from '../../../schema/json/pointer.ts';
import { listCalledLeaves } from '../../../schema/plan/list-leaves.ts';
import type { RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { ServingPlan } from './exchange.ts';

/** The label for everything that callers name themselves. */
export const callersName = '(caller)';
/** The label for the plan of requests that were answered before one was chosen. */
const noName = '(none)';

/** A target as it appears in labels. */
export interface TargetNames {
  readonly target: string;
  readonly provider: string;
}

/** The names of a plan and of its targets, for labels. */
export interface PlanNames {
  readonly plan: string;
  /** Returns the names of a target by its id. */
  target(id: string): TargetNames;
  /** Returns the names of a target by the place of its leaf. */
  leaf(path: JsonPointer): TargetNames;
}

const noTarget: TargetNames = { target: noName, provider: noName };
const noPlan: PlanNames = { plan: noName, target: () => noTarget, leaf: () => noTarget };

const toProvider = ({ from }: Target): string => {
  switch (from.kind) {
    case 'inline':
    case 'saved':
      return from.provider;
    case 'prompt':
      return noName;
    case 'request':
      return callersName;
  }
};

const toNames = ({ name, targets, root }: RoutingPlan, isCallers: boolean): PlanNames => {
  const known = targets.map((target): readonly [string, TargetNames] => [
    target.id,
    { target: isCallers ? callersName : target.id, provider: toProvider(target) },
  ]);
  const byId = new Map(known);
  const byLeaf = new Map(listCalledLeaves(root).map(({ path, target }) => [path, known[target]?.[1] ?? noTarget]));
  return {
    plan: isCallers ? callersName : name,
    target: (id) => byId.get(id) ?? noTarget,
    leaf: (path) => byLeaf.get(path) ?? noTarget,
  };
};

/**
 * Creates a function that returns the names of plans and computes them once for each plan. All plans of callers share one name,
 * and so do all of their targets.
 */
export const servedNames = (): ((plan: ServingPlan | undefined) => PlanNames) => {
  const known = new WeakMap<RoutingPlan, PlanNames>();
  return (plan) => {
    if (plan === undefined) return noPlan;
    const found = known.get(plan.routing);
    if (found !== undefined) return found;
    const made = toNames(plan.routing, plan.isCallers === true);
    known.set(plan.routing, made);
    return made;
  };
};
