import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import { hasWrittenSecret } from '../../compare/leaf-identity.ts';
import { formatPrice } from '../explain/describe-model.ts';
import { formatDuration } from '../explain/words.ts';
import type { PricedPlan } from './compare-sources.ts';

/** A fact about a whole plan, before and after. */
export interface PlanChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const none = 'none';

const facts: readonly (readonly [name: string, read: (plan: PricedPlan) => string])[] = [
  ['calls at most', ({ plan }) => `${plan.bounds.calls}`],
  ['longest wait', ({ plan }) => formatDuration(plan.bounds.waitMs)],
  ['worst cost', ({ worst }) => (worst === undefined ? 'not known' : formatPrice(worst))],
  ['deadline', ({ plan: { deadlineMs } }) => (deadlineMs === undefined ? none : formatDuration(deadlineMs))],
  [
    'max_cost_usd',
    ({ plan: { maxCostUsd } }) => (maxCostUsd === undefined ? none : formatPrice(maxCostUsd * nanoPerUsd)),
  ],
];

const lists: readonly (readonly [name: string, read: (plan: RoutingPlan) => readonly string[]])[] = [
  ['hosts', ({ requires }) => requires.hosts],
  ['credentials', ({ requires }) => requires.secrets],
];

/**
 * Returns the facts that differ between two plans: bounds and costs, and the hosts and credentials that were added or removed.
 */
export const planChanges = (before: PricedPlan, after: PricedPlan): readonly PlanChange[] => [
  ...facts.flatMap(([name, read]) => {
    const [old, now] = [read(before), read(after)];
    return old === now ? [] : [{ name, before: old, after: now }];
  }),
  ...lists.flatMap(([name, read]) => {
    const [old, now] = [read(before.plan), read(after.plan)];
    const [gone, added] = [old.filter((each) => !now.includes(each)), now.filter((each) => !old.includes(each))];
    const [few, more] = [gone.join(', '), added.join(', ')];
    return few === more
      ? []
      : [{ name, before: few === '' ? 'none of its own' : few, after: more === '' ? 'none of its own' : more }];
  }),
];

/** Whether one of the plans contains a credential that is written out, which is not compared. */
export const hasWrittenCredential = (...plans: readonly PricedPlan[]): boolean =>
  plans.some(({ plan }) => plan.targets.some(hasWrittenSecret));
