import { isNonEmpty } from '../../schema/json/json.ts';
import type { Mirror, PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';

/** Returns the only branch that a visit of this group can take; undefined if there are several. */
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

/** Returns the node with further mirrors after its own, such as those of a group that consists only of this node. */
export const withMirrors = (node: PlanNode, outer: readonly Mirror[]): PlanNode => {
  const mirrors = [...(node.mirrors ?? []), ...outer];
  return outer.length > 0 && isNonEmpty(mirrors) ? { ...node, mirrors } : node;
};

/**
 * A group with one branch takes it whether it is available or not, and is exactly as available as it, whatever the trigger or the
 * conditions are, unless the group requires that the branch is able to serve the request. (The weight of an only branch is above
 * 0, otherwise the plan would not be valid.)
 */
export const collapseSingleBranch: Rewrite = {
  name: 'collapse-single-branch',
  law: 'group[a] = a, where the group requires nothing, whose mirrors are those of a and of the group',
  rewrite: (node) => {
    const branch = onlyBranch(node);
    return branch === undefined ? node : withMirrors(branch, node.mirrors ?? []);
  },
};
