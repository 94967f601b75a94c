import type { PlanNode } from '../../schema/plan/plan.ts';
import { toBranches } from '../../schema/plan/to-branches.ts';

/** A node and all below it, groups before their branches. */
export const toNodes = (node: PlanNode): readonly PlanNode[] =>
  node.kind === 'leaf' ? [node] : [node, ...toBranches(node).flatMap(toNodes)];
