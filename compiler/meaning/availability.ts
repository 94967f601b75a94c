import { isAvailable, isProbe } from '../../schema/plan/circuit.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import type { ConditionalNode, LeafNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
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

/** The branches of a load balance that can be drawn. */
const drawable = ({ branches }: LoadbalanceNode): readonly PlanNode[] =>
  branches.filter(({ weight }) => weight > 0).map(({ node }) => node);

/** The branches that a group uses: the available ones, or all where none is. */
const usedBranches = (branches: readonly PlanNode[], run: RequestRun): readonly PlanNode[] => {
  const available = branchesAvailable(branches, run);
  return available.includes(true) ? branches.filter((_, index) => available[index]) : branches;
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
      return usedBranches(node.branches, run)
        .slice(0, 1)
        .some((branch) => mayProbe(branch, run));
    case 'loadbalance':
      return usedBranches(drawable(node), run).some((branch) => mayProbe(branch, run));
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
      return branchesAvailable(node.branches, run).includes(true);
    case 'loadbalance':
      return branchesAvailable(drawable(node), run).includes(true);
    case 'conditional': {
      const branch = node.branches[chosenBranch(node, run)];
      return branch !== undefined && nodeAvailable(branch, run);
    }
  }
};
