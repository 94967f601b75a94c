import { LRUCache } from 'lru-cache';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import type { LinkedPlan } from '../engine/link.ts';
import { type ServedPlan, toServedPlan } from '../file-plans/served-plan.ts';
import { completePlan, openLeaf } from './complete-plan.ts';
import { refuseDiversion } from './refuse-diversion.ts';

/** The number of cached completions of one plan. It is limited because callers may name any number of providers and models. */
const capacity = 100;

/**
 * Completes a saved plan without a provider with that of another plan. The result is linked once while it is cached. Throws the
 * `GatewayError` `credential-origin-mismatch`.
 */
export type CompletedPlans = (plan: ServedPlan, giver: ServedPlan) => ServedPlan;

export interface CompletedPlansOptions {
  readonly link: (plan: RoutingPlan) => LinkedPlan;
  readonly provider: (id: string) => Provider | undefined;
}

export const createCompletedPlans = ({ link, provider }: CompletedPlansOptions): CompletedPlans => {
  const complete = ({ linked: { plan }, origin, secrets }: ServedPlan, giver: RoutingPlan): ServedPlan => {
    const open = openLeaf(plan);
    const [given] = giver.targets;
    if (open !== undefined && given !== undefined)
      refuseDiversion({
        open: open.target,
        origin,
        config: plan.name,
        given,
        provider: 'provider' in given.from ? provider(given.from.provider) : undefined,
      });
    return toServedPlan(link(completePlan(plan, giver)), { origin, secrets });
  };

  // The completions of a plan are collected together with its generation.
  const known = new WeakMap<ServedPlan, LRUCache<string, ServedPlan>>();
  return (plan, giver) => {
    const completions = known.get(plan) ?? new LRUCache<string, ServedPlan>({ max: capacity });
    known.set(plan, completions);
    const { plan: given } = giver.linked;
    const completed = completions.get(given.hash) ?? complete(plan, given);
    completions.set(given.hash, completed);
    return completed;
  };
};
