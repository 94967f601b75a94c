import { isNonEmpty } from '../../schema/json/json.ts';
import type { Mirror, PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';

/** The one branch that a visit of this group can take. */
const onlyBranch = (node: PlanNode): PlanNode | undefined => {
  switch (node.kind) {
    case 'leaf':
      return undefined;
    case 'loadbalance':
      return node.branches.length === 1 && node.require === undefined ? node.branches[0].node : undefined;
    case 'fallback':
      return node.branches.length === 1 && node.require === undefined ? node.branches[0] : undefined;
    case 'conditional':
      return node.branches.length === 1 ? node.branches[0] : undefined;
  }
};

/** The node with further mirrors behind its own, as of a group around it that is all about this node. */
export const withMirrors = (node: PlanNode, outer: readonly Mirror[]): PlanNode => {
  const mirrors = [...(node.mirrors ?? []), ...outer];
  return outer.length > 0 && isNonEmpty(mirrors) ? { ...node, mirrors } : node;
};

/**
 * A group with one branch takes it whether it is available or not, and is as available as it, whatever the trigger or
 * the conditions say, unless it requires that the branch is able to serve the request. (The weight of an only branch is above 0, or the plan would not be one.)
 */
export const collapseSingleBranch: Rewrite = {
  name: 'collapse-single-branch',
  law: 'group[a] = a, where the group requires nothing, whose mirrors are those of a and of the group',
  rewrite: (node) => {
    const branch = onlyBranch(node);
    return branch === undefined ? node : withMirrors(branch, node.mirrors ?? []);
  },
};
