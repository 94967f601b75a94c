import { isAvailable } from '../../schema/plan/circuit.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import type { FallbackNode, LeafNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { ableBranches, type Candidate } from './ability.ts';
import { chosenBranch } from './chosen-branch.ts';
import { type RequestRun, toCircuit } from './run.ts';

const leafAvailable = (leaf: LeafNode, run: RequestRun): boolean => {
  if (findStage(leaf, 'breaker') === undefined) return true;
  const read = run.availability.get(leaf.path) ?? isAvailable(toCircuit(run.world, leaf), run.world.now);
  run.availability.set(leaf.path, read);
  return read;
};

/** Whether each branch of a list is available. All are read, so that they are all read at the same moment. */
export const branchesAvailable = (branches: readonly Candidate[], run: RequestRun): readonly boolean[] =>
  branches.map(({ node }) => nodeAvailable(node, run));

/** The branches that a group can use at all: those of weight 0 are never drawn. */
export const listCandidates = (node: FallbackNode | LoadbalanceNode): readonly Candidate[] =>
  node.kind === 'fallback'
    ? node.branches.map((branch, index) => ({ index, node: branch }))
    : node.branches.flatMap((branch, index) => (branch.weight > 0 ? [{ index, node: branch.node }] : []));

const nodeAvailable = (node: PlanNode, run: RequestRun): boolean => {
  switch (node.kind) {
    case 'leaf':
      return leafAvailable(node, run);
    case 'fallback':
    case 'loadbalance': {
      const able = ableBranches(node, listCandidates(node), run);
      return able.length === 0 || branchesAvailable(able, run).includes(true);
    }
    case 'conditional': {
      const branch = node.branches[chosenBranch(node, run)];
      return branch !== undefined && nodeAvailable(branch, run);
    }
  }
};
