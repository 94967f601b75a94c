import { isNonEmpty, type NonEmptyArray } from '../../schema/json/json.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import { canTrigger } from './can-trigger.ts';
import { mayBeUnavailable } from './may-be-unavailable.ts';

/**
 * Returns the branches that some request can reach: if the fallback never continues, none after the first that is always
 * available. Which branches can serve a request is unknown until there is one.
 */
export const branchesUntilEnd = ({ on, require, hedge, branches }: FallbackNode): NonEmptyArray<PlanNode> => {
  if (canTrigger(on) || require !== undefined || hedge !== undefined) return branches;
  const end = branches.findIndex((branch) => !mayBeUnavailable(branch));
  const kept = branches.slice(0, end + 1);
  return isNonEmpty(kept) ? kept : branches;
};
