import { listBranches } from './list-branches.ts';
import type { LoadbalanceNode, PlanNode } from './plan.ts';

/** A node and those below it that are load balances, in the order of the plan. */
export const listBalances = (node: PlanNode): readonly LoadbalanceNode[] => {
  if (node.kind === 'leaf') return [];
  return [...(node.kind === 'loadbalance' ? [node] : []), ...listBranches(node).flatMap(listBalances)];
};
