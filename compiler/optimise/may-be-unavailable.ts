import type { PlanNode } from '../../schema/plan/plan.ts';

/**
 * Whether a group may skip this branch because of an open circuit. A group is skipped only if all its branches are, and if it
 * requires able branches, only one of them may be able. A branch of weight 0 always counts as unavailable. A conditional is
 * skipped if the branch that it would choose is.
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
