import { listBranches } from '../../../schema/plan/list-branches.ts';
import type { FallbackNode, PlanNode } from '../../../schema/plan/plan.ts';

/** Returns the fallbacks in a node and below it, in the order of the plan. */
export const listFallbacks = (node: PlanNode): readonly FallbackNode[] => {
  if (node.kind === 'leaf') return [];
  return [...(node.kind === 'fallback' ? [node] : []), ...listBranches(node).flatMap(listFallbacks)];
};
