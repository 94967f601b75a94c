import { usableBranches } from '../../schema/plan/list-branches.ts';
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
    case 'loadbalance':
    case 'fallback': {
      const branches = usableBranches(node);
      return node.require === undefined ? branches.every(mayBeUnavailable) : branches.some(mayBeUnavailable);
    }
    case 'conditional':
      return node.branches.some(mayBeUnavailable);
  }
};
