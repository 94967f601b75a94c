import type { PlanNode } from '../../schema/plan/plan.ts';

/**
 * Whether a group may leave this branch out because of an open circuit. A group is out only when all its branches are, of which
 * one may be the only able one where it requires that; a branch of weight 0 counts as out always. A conditional is out when the
 * branch is that it would choose.
 */
export const mayBeUnavailable = (node: PlanNode): boolean => {
  switch (node.kind) {
    case 'leaf':
      return node.stages.some(({ kind }) => kind === 'breaker');
    case 'loadbalance': {
      const drawn = node.branches.filter(({ weight }) => weight > 0).map((branch) => branch.node);
      return node.require === undefined ? drawn.every(mayBeUnavailable) : drawn.some(mayBeUnavailable);
    }
    case 'fallback':
      return node.require === undefined ? node.branches.every(mayBeUnavailable) : node.branches.some(mayBeUnavailable);
    case 'conditional':
      return node.branches.some(mayBeUnavailable);
  }
};
