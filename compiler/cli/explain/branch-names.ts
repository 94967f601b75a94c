import { type JsonPointer, toOptionPath } from '../../../schema/json/pointer.ts';
import { branchesOf } from '../../../schema/plan/branches-of.ts';
import type { PlanNode, RoutingPlan } from '../../../schema/plan/plan.ts';

/** What the nodes of a plan are called in a trail: by their places in the config, groups with their names. */
export interface BranchNames {
  readonly nameOf: (path: JsonPointer) => string;
  /** The branch of a group, by its index in the plan. */
  readonly branchOf: (group: JsonPointer, index: number) => string;
}

const branchesIn = (node: PlanNode): readonly PlanNode[] => (node.kind === 'leaf' ? [] : branchesOf(node));

const allNodes = (node: PlanNode): readonly PlanNode[] => [node, ...branchesIn(node).flatMap(allNodes)];

export const branchNames = ({ root }: Pick<RoutingPlan, 'root'>): BranchNames => {
  const nodes = new Map(allNodes(root).map((node) => [node.path, node]));
  const nameOf = (path: JsonPointer): string => {
    const node = nodes.get(path);
    const name = node === undefined || node.kind === 'leaf' ? undefined : node.name;
    return `${toOptionPath(path)}${name === undefined ? '' : ` (${name})`}`;
  };
  return {
    nameOf,
    branchOf: (group, index) => {
      const node = nodes.get(group);
      const branch = node === undefined ? undefined : branchesIn(node)[index];
      return branch === undefined ? `branch ${index} of ${nameOf(group)}` : nameOf(branch.path);
    },
  };
};
