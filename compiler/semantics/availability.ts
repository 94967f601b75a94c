import { isAvailable, isProbe } from '../../schema/plan/circuits/circuit.ts';
import type { FallbackNode, LeafNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { ableBranches, type Candidate } from './ability.ts';
import { chosenBranch } from './chosen-branch.ts';
import { watchCircuit } from './probing.ts';
import { metCircuits, type RequestRun, toCircuit } from './run.ts';

/** Whether each circuit is closed or has cooled down, and none is left to probes. */
const readCircuits = (leaf: LeafNode, run: RequestRun): boolean => {
  const { world } = run;
  const open = metCircuits(leaf, run).filter((circuit) => toCircuit(world, circuit).state !== 'closed');
  const left = open.filter((circuit) => !watchCircuit(circuit, leaf, world));
  return left.length === open.length && left.every((circuit) => isAvailable(toCircuit(world, circuit), world.now));
};

const leafAvailable = (leaf: LeafNode, run: RequestRun): boolean => {
  if (findStage(leaf, 'breaker') === undefined) return true;
  const read = run.availability.get(leaf.path) ?? readCircuits(leaf, run);
  run.availability.set(leaf.path, read);
  return read;
};

/** Returns whether each branch of a list is available. All are read at the same moment. */
export const branchesAvailable = (branches: readonly Candidate[], run: RequestRun): readonly boolean[] =>
  branches.map(({ node }) => nodeAvailable(node, run));

/** Returns the branches that a group can use at all; those of weight 0 are never drawn. */
export const listCandidates = (node: FallbackNode | LoadbalanceNode): readonly Candidate[] =>
  node.kind === 'fallback'
    ? node.branches.map((branch, index) => ({ index, node: branch }))
    : node.branches.flatMap((branch, index) => (branch.weight > 0 ? [{ index, node: branch.node }] : []));

/**
 * Returns the branches that a group uses: the available ones among those that are able, or all able ones if none is available.
 */
const usedBranches = (node: FallbackNode | LoadbalanceNode, run: RequestRun): readonly PlanNode[] => {
  const able = ableBranches(node, listCandidates(node), run);
  const available = branchesAvailable(able, run);
  const used = available.includes(true) ? able.filter((_, index) => available[index]) : able;
  return used.map((candidate) => candidate.node);
};

/** Whether a visit of a node that begins now may be the probe of a circuit. */
export const mayProbe = (node: PlanNode, run: RequestRun): boolean => {
  switch (node.kind) {
    case 'leaf': {
      const { world } = run;
      if (findStage(node, 'breaker') === undefined) return false;
      return metCircuits(node, run).some((circuit) => isProbe(toCircuit(world, circuit), world.now));
    }
    case 'fallback':
      return usedBranches(node, run)
        .slice(0, 1)
        .some((branch) => mayProbe(branch, run));
    case 'loadbalance':
      return usedBranches(node, run).some((branch) => mayProbe(branch, run));
    case 'conditional': {
      const branch = node.branches[chosenBranch(node, run)];
      return branch !== undefined && mayProbe(branch, run);
    }
  }
};

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
