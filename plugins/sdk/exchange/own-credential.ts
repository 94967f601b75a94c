import { credentialSecrets, type Target } from '../../../schema/plan/plan.ts';
import type { ServingPlan } from './exchange.ts';

/**
 * Returns the target with this id if it is called with a credential of the gateway, or undefined if the request brings the
 * credential.
 */
export const findTargetWithOwnCredential = (plan: ServingPlan | undefined, id: string): Target | undefined => {
  const target = plan?.routing.targets.find((each) => each.id === id);
  if (target === undefined || credentialSecrets(target.credential).length === 0) return undefined;
  // The secrets in a config that came with a request belong to the caller, except those of saved providers.
  return plan?.isCallers === true && target.from.kind !== 'saved' ? undefined : target;
};
