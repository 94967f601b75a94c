import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { LeafNode, PlanNode } from '../../schema/plan/plan.ts';

/** Returns the same tree with changed leaves. */
export const mapLeaves = (node: PlanNode, change: (leaf: LeafNode) => LeafNode): PlanNode =>
  node.kind === 'leaf' ? change(node) : mapBranches(node, (branch) => mapLeaves(branch, change));
