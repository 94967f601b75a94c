import type { PlanComparison } from '../../../schema/forecast/plan-comparison.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import { comparePlans } from '../../compare/compare-plans.ts';
import { callLabels } from './call-labels.ts';
import { changeWords } from './change-words.ts';
import { isSameConfig } from './compare-sources.ts';
import { diffText, maxShownChanges } from './diff-text.ts';

/** Less than a command may use, because a gateway serves requests at the same time. */
const units = 100_000;

/** Compares two plans of one config, and describes the result in words. */
export const planComparison = (before: RoutingPlan, after: RoutingPlan): PlanComparison => {
  const diff = comparePlans(before, after, { units });
  const labels = callLabels(diff.before, diff.after);
  const config = {
    ...({ kind: 'both', name: after.name, diff } as const),
    before: { file: before.name, plan: before },
    after: { file: after.name, plan: after },
  };
  return {
    same: isSameConfig(config),
    complete: diff.undecided.length === 0,
    text: diffText([config]),
    changes: diff.changes.slice(0, maxShownChanges).map((change) => {
      const { requests, only, before: old, after: now } = changeWords(change, diff, labels);
      return {
        kind: change.tree.kind,
        requests: [requests, ...(only === undefined ? [] : [only])].join(', '),
        ...{ before: old, after: now },
        ...(change.example && { example: change.example }),
      };
    }),
  };
};
