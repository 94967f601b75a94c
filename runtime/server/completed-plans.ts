import { LRUCache } from 'lru-cache';
import type { RoutingPlan } from '../../schema/plan.ts';
import { type ServedPlan, toServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { completePlan } from './complete-plan.ts';

/** Completions of one plan that are kept: there are as many as callers name providers and models. */
const capacity = 100;

/** Gives a saved plan that leaves its provider to the request the provider of another plan; linked once while it is kept. */
export type CompletedPlans = (plan: ServedPlan, giver: ServedPlan) => ServedPlan;

export const createCompletedPlans = (link: (plan: RoutingPlan) => LinkedPlan): CompletedPlans => {
  // Those of a plan go when its generation goes.
  const known = new WeakMap<ServedPlan, LRUCache<string, ServedPlan>>();
  return (plan, giver) => {
    const completions = known.get(plan) ?? new LRUCache<string, ServedPlan>({ max: capacity });
    known.set(plan, completions);
    const { hash } = giver.linked.plan;
    const completed = completions.get(hash) ?? toServedPlan(link(completePlan(plan.linked.plan, giver.linked.plan)));
    completions.set(hash, completed);
    return completed;
  };
};
