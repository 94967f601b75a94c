import { LRUCache } from 'lru-cache';
import type { RoutingPlan } from '../../schema/plan.ts';
import { type ServedPlan, toServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { completePlan } from './complete-plan.ts';

/** The number of cached completions of one plan, since callers may name any number of providers and models. */
const capacity = 100;

/** Completes a saved plan without a provider with that of another plan; linked once while it is cached. */
export type CompletedPlans = (plan: ServedPlan, giver: ServedPlan) => ServedPlan;

export const createCompletedPlans = (link: (plan: RoutingPlan) => LinkedPlan): CompletedPlans => {
  // The completions of a plan are collected with its generation.
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
