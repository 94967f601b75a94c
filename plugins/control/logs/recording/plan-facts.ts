import { listBranches } from '../../../../schema/plan/list-branches.ts';
import { listLeaves } from '../../../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan } from '../../../../schema/plan/plan.ts';
import { type LoggedTarget, notedTarget } from './noted-target.ts';

/** What a record wants to know of a plan. */
export interface PlanFacts {
  /** By the path of their leaf: what a record says of the target there, under that path. */
  readonly targets: ReadonlyMap<string, { readonly [path: string]: LoggedTarget }>;
  /** The paths of load balances. */
  readonly balances: ReadonlySet<string>;
}

const balancesIn = (node: PlanNode): readonly string[] =>
  node.kind === 'leaf'
    ? []
    : [...(node.kind === 'loadbalance' ? [node.path] : []), ...listBranches(node).flatMap(balancesIn)];

const known = new WeakMap<RoutingPlan, PlanFacts>();

/** Read once for each plan. */
export const planFacts = (plan: RoutingPlan): PlanFacts => {
  const before = known.get(plan);
  if (before !== undefined) return before;
  const targets = new Map<string, { readonly [path: string]: LoggedTarget }>();
  for (const { path, target } of listLeaves(plan.root)) {
    const called = plan.targets[target];
    if (called !== undefined) targets.set(path, { [path]: notedTarget(called) });
  }
  const facts = { targets, balances: new Set(balancesIn(plan.root)) };
  known.set(plan, facts);
  return facts;
};
