import { listBranches } from './list-branches.ts';
import type { FallbackNode, PlanNode } from './plan.ts';

/** A node and those below it that are fallbacks, in the order of the plan. */
export const listFallbacks = (node: PlanNode): readonly FallbackNode[] => {
  if (node.kind === 'leaf') return [];
  return [...(node.kind === 'fallback' ? [node] : []), ...listBranches(node).flatMap(listFallbacks)];
};
