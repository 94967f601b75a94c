import type { PlanNode } from '../../schema/plan/plan.ts';

/**
 * Whether a group may leave this branch out because of an open circuit, or because it can only refuse the request. A group is
 * out only when all its branches are, or none of them is able where it requires that; a branch of weight 0 counts as out always. A
 * conditional is out when the branch is that it would choose.
 */
export const mayBeUnavailable = (node: PlanNode): boolean => {
  switch (node.kind) {
    case 'leaf':
      return node.stages.some(({ kind }) => kind === 'breaker');
    case 'loadbalance':
      return (
        node.require !== undefined ||
        node.branches.every((branch) => branch.weight === 0 || mayBeUnavailable(branch.node))
      );
    case 'fallback':
      return node.require !== undefined || node.branches.every(mayBeUnavailable);
    case 'conditional':
      return node.branches.some(mayBeUnavailable);
  }
};
