import { mapNonEmpty } from '../json/map-non-empty.ts';
import type { LeafNode, PlanNode } from './plan.ts';

/** Returns the node with its branches mapped; the same object if none changes. */
export const mapBranches = (node: PlanNode, to: (branch: PlanNode) => PlanNode): PlanNode => {
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance': {
      const branches = mapNonEmpty(node.branches, (before) => {
        const after = to(before.node);
        return after === before.node ? before : { ...before, node: after };
      });
      return branches.every((branch, index) => branch === node.branches[index]) ? node : { ...node, branches };
    }
    case 'fallback':
    case 'conditional': {
      const branches = mapNonEmpty(node.branches, to);
      return branches.every((branch, index) => branch === node.branches[index]) ? node : { ...node, branches };
    }
  }
};

/** Returns the same tree with changed leaves. */
export const mapLeaves = (node: PlanNode, change: (leaf: LeafNode) => LeafNode): PlanNode =>
  node.kind === 'leaf' ? change(node) : mapBranches(node, (branch) => mapLeaves(branch, change));
