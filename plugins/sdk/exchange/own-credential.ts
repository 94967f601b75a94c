import { credentialSecrets, type Target } from '../../../schema/plan/plan.ts';
import type { ServingPlan } from './exchange.ts';

/** Finds a target by its id if it is called with a credential of the gateway; undefined where the request brings the credential. */
export const findOwnCredential = (plan: ServingPlan | undefined, id: string): Target | undefined => {
  const target = plan?.routing.targets.find((each) => each.id === id);
  if (target === undefined || credentialSecrets(target.credential).length === 0) return undefined;
  // The secrets of a config that came with a request are the caller's, but for those of saved providers.
  return plan?.isCallers === true && target.from.kind !== 'saved' ? undefined : target;
};
