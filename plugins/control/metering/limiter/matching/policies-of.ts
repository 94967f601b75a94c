import type { LimitPolicy, PolicyView } from '../../../kernel/limits/limit-policy.ts';
import { type CompiledPolicies, compilePolicies } from './compile-policies.ts';
import { MemoryBudget } from './remembered-by-facts.ts';

/** The policies of a workspace and of its organisation; undefined if there are none. */
export type PoliciesOf = (workspace: string, organisation: string) => CompiledPolicies | undefined;

/** Arranges each list of policies once. What is remembered of requests has one bound for all lists. */
export const createPolicyFinder = (policies: PolicyView): PoliciesOf => {
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  const budget = new MemoryBudget();
  return (workspace, organisation) => {
    const list = policies.findPolicies(workspace, organisation);
    if (list.length === 0) return undefined;
    const known = compiled.get(list);
    if (known !== undefined) return known;
    const made = compilePolicies(list, budget);
    compiled.set(list, made);
    return made;
  };
};
