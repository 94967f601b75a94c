import { isAvailable } from '../../schema/plan/circuit.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import type { ConditionalNode, LeafNode, PlanNode } from '../../schema/plan/plan.ts';
import { watchCircuit } from './probing.ts';
import { metCircuits, type RequestRun, toCircuit } from './run.ts';

/** The branch that a conditional takes for these facts. */
export const chosenBranch = ({ cases, otherwise }: ConditionalNode, { facts }: RequestRun): number =>
  cases.find(({ when }) => conditionMatcher(when)(facts))?.branch ?? otherwise;

/** Each circuit is closed or has cooled down, and none is left to probes. */
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

/** Whether each branch of a list is available. All are read, so that they are all read at the same moment. */
export const branchesAvailable = (branches: readonly PlanNode[], run: RequestRun): readonly boolean[] =>
  branches.map((branch) => nodeAvailable(branch, run));

const nodeAvailable = (node: PlanNode, run: RequestRun): boolean => {
  switch (node.kind) {
    case 'leaf':
      return leafAvailable(node, run);
    case 'fallback':
      return branchesAvailable(node.branches, run).includes(true);
    case 'loadbalance': {
      const weighted = node.branches.filter(({ weight }) => weight > 0).map((branch) => branch.node);
      return branchesAvailable(weighted, run).includes(true);
    }
    case 'conditional': {
      const branch = node.branches[chosenBranch(node, run)];
      return branch !== undefined && nodeAvailable(branch, run);
    }
  }
};
