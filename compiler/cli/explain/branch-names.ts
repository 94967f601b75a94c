import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { listBranches, listNodes } from '../../../schema/plan/list-branches.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';

/** The names of the nodes of a plan in a trail: their places in the config; groups with their names. */
export interface BranchNames {
  readonly readName: (path: JsonPointer) => string;
  /** Returns the branch of a group by its index in the plan. */
  readonly nameBranch: (group: JsonPointer, index: number) => string;
}

export const branchNames = ({ root }: Pick<RoutingPlan, 'root'>): BranchNames => {
  const nodes = new Map(listNodes(root).map((node) => [node.path, node]));
  const toName = (path: JsonPointer): string => {
    const node = nodes.get(path);
    const name = node === undefined || node.kind === 'leaf' ? undefined : node.name;
    return `${toOptionPath(path)}${name === undefined ? '' : ` (${name})`}`;
  };
  return {
    readName: toName,
    nameBranch: (group, index) => {
      const node = nodes.get(group);
      const branch = node === undefined || node.kind === 'leaf' ? undefined : listBranches(node)[index];
      return branch === undefined ? `branch ${index} of ${toName(group)}` : toName(branch.path);
    },
  };
};
