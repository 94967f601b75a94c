import { usableBranches } from '../../schema/plan/list-branches.ts';
import type { FallbackNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { chosenBranch } from './chosen-branch.ts';
import { type RequestRun, toTarget } from './run.ts';

/** Whether a leaf that a run can reach below a node can serve its request. */
const isAble = (node: PlanNode, run: RequestRun): boolean => {
  switch (node.kind) {
    case 'leaf':
      return !run.unable.has(toTarget(run.world, node).id);
    case 'fallback':
    case 'loadbalance':
      return usableBranches(node).some((branch) => isAble(branch, run));
    case 'conditional': {
      const branch = node.branches[chosenBranch(node, run)];
      return branch !== undefined && isAble(branch, run);
    }
  }
};

/** A branch that a group can use at all, by its index. */
export interface Candidate {
  readonly index: number;
  readonly node: PlanNode;
}

/** Returns the branches that a group may use for a request: only the able ones if it requires that. */
export const ableBranches = (
  { require }: FallbackNode | LoadbalanceNode,
  candidates: readonly Candidate[],
  run: RequestRun,
): readonly Candidate[] => (require === undefined ? candidates : candidates.filter(({ node }) => isAble(node, run)));
