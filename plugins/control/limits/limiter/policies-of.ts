import type { LimitPolicy, PolicyView } from '../../policies/limit-policy.ts';
import { type CompiledPolicies, compilePolicies } from './compile-policies.ts';

/** The policies of a workspace and of its organisation; undefined if there are none. */
export type PoliciesOf = (workspace: string, organisation: string) => CompiledPolicies | undefined;

/** Arranges each list of policies once. */
export const createPoliciesOf = (policies: PolicyView): PoliciesOf => {
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  return (workspace, organisation) => {
    const list = policies.policiesOf(workspace, organisation);
    if (list.length === 0) return undefined;
    const known = compiled.get(list) ?? compilePolicies(list);
    compiled.set(list, known);
    return known;
  };
};
