import { isFinalStatus, type Outcome, type StatusRule, statusMatcher } from '../../schema/http/status.ts';
import { listNodesOf } from '../../schema/plan/list-branches.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';

/** Answers that no fallback of either plan distinguishes. */
export interface OutcomeClass {
  readonly outcome: Outcome;
  /** Their final statuses, in order. */
  readonly statuses: readonly number[];
}

/** Returns the statuses that answers can have, and further ones that rules name. A final status has three digits. */
const everyStatus = (rules: readonly StatusRule[]): readonly number[] => {
  const statuses = new Set(Array.from({ length: 400 }, (_, index) => 200 + index));
  for (const rule of rules)
    if (rule.kind === 'codes') for (const code of rule.codes) if (isFinalStatus(code)) statuses.add(code);
  return [...statuses].sort((a, b) => a - b);
};

/** Divides all answers by what the fallbacks of some plans do for them. */
export const outcomeClasses = (roots: readonly PlanNode[]): readonly OutcomeClass[] => {
  const rules = roots.flatMap((root) => listNodesOf('fallback', root)).map(({ on }) => on);
  const distinct = [...new Map(rules.map((rule) => [JSON.stringify(rule), statusMatcher(rule)])).values()];
  const outcomes: readonly Outcome[] = [
    ...everyStatus(rules).map((status) => ({ status, origin: 'upstream' as const })),
    // The gateway's own time-out can be a failure even if the same status of a provider is not.
    { status: 408, origin: 'timeout' },
  ];
  const classes = new Map<string, OutcomeClass>();
  for (const outcome of outcomes) {
    const key = distinct.map((matches) => (matches(outcome) ? '1' : '0')).join('');
    const { outcome: first = outcome, statuses = [] } = classes.get(key) ?? {};
    classes.set(key, { outcome: first, statuses: [...statuses, outcome.status] });
  }
  return [...classes.values()];
};
