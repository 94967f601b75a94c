import { listBranches } from './list-branches.ts';
import type { LoadbalanceNode, PlanNode } from './plan.ts';

/** Lists the load balances among a node and all nodes below it, in the order of the plan. */
export const listBalances = (node: PlanNode): readonly LoadbalanceNode[] => {
  if (node.kind === 'leaf') return [];
  return [...(node.kind === 'loadbalance' ? [node] : []), ...listBranches(node).flatMap(listBalances)];
};
