import { listBranches } from '../../../schema/plan/list-branches.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';

/** Returns a node and everything below it, groups before their branches. */
export const toNodes = (node: PlanNode): readonly PlanNode[] =>
  node.kind === 'leaf' ? [node] : [node, ...listBranches(node).flatMap(toNodes)];
