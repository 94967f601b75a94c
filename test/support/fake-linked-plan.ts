import type { LinkedPlan } from '../../runtime/engine/link.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';

/** Stands in for a linked plan where what runs behind it does not matter. */
export const fakeLinkedPlan = (
  plan: RoutingPlan,
  execute: LinkedPlan['execute'] = () => Promise.reject(new Error('It is not executed.')),
): LinkedPlan => ({ plan, execute, relink: (change) => fakeLinkedPlan(change.plan, execute), retire: () => {} });
