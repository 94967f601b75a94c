import type { PlanNode } from '../../schema/plan/plan.ts';
import { mapNonEmpty } from './map-leaves.ts';

/** The same tree without mirrors: which copies a recorded request had is in its trail. */
export const withoutMirrors = ({ mirrors: _mirrors, ...node }: PlanNode): PlanNode => {
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance':
      return {
        ...node,
        branches: mapNonEmpty(node.branches, (branch) => ({ ...branch, node: withoutMirrors(branch.node) })),
      };
    default:
      return { ...node, branches: mapNonEmpty(node.branches, withoutMirrors) };
  }
};
