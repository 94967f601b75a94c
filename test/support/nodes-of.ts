import { branchesOf } from '../../schema/plan/branches-of.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';

/** A node and all below it, groups before their branches. */
export const nodesOf = (node: PlanNode): readonly PlanNode[] =>
  node.kind === 'leaf' ? [node] : [node, ...branchesOf(node).flatMap(nodesOf)];
