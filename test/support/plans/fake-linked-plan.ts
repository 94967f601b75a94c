import type { LinkedPlan } from '../../../runtime/engine/link.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';

/** A stand-in for a linked plan in tests where its execution does not matter. */
export const fakeLinkedPlan = (
  plan: RoutingPlan,
  execute: LinkedPlan['execute'] = () => Promise.reject(new Error('It is not executed.')),
): LinkedPlan => ({ plan, execute, relink: (change) => fakeLinkedPlan(change.plan, execute), retire: () => {} });
