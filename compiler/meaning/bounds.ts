import { findStage } from '../../schema/plan/find-stage.ts';
import { type Bounds, type LeafNode, longestStageMs, type PlanNode, type Target } from '../../schema/plan/plan.ts';
import { retriesAnswers } from '../../schema/plan/retries-answers.ts';
import { defaultTimeoutMs } from '../../schema/plan/schedule.ts';
import { canTrigger } from '../optimise/can-trigger.ts';
import { reachableBranches } from './reachable-branches.ts';

type Cost = Pick<Bounds, 'calls' | 'waitMs'>;

const leafCost = (leaf: LeafNode, targets: readonly Target[]): Cost => {
  const forChecks = retriesAnswers(findStage(leaf, 'output-checks')?.hooks ?? []) ? 1 : 0;
  const calls = 1 + (findStage(leaf, 'retry')?.attempts ?? 0) + forChecks;
  const timeoutMs = targets[leaf.target]?.timeoutMs ?? defaultTimeoutMs;
  const waits = leaf.stages.reduce((sum, stage) => sum + longestStageMs(stage.kind, stage), 0);
  return { calls, waitMs: calls * timeoutMs + waits };
};

const addCosts = (costs: readonly Cost[]): Cost => ({
  calls: costs.reduce((sum, { calls }) => sum + calls, 0),
  waitMs: costs.reduce((sum, { waitMs }) => sum + waitMs, 0),
});

const findLargest = (costs: readonly Cost[]): Cost => ({
  calls: Math.max(...costs.map(({ calls }) => calls)),
  waitMs: Math.max(...costs.map(({ waitMs }) => waitMs)),
});

const cost = (node: PlanNode, targets: readonly Target[]): Cost => {
  if (node.kind === 'leaf') return leafCost(node, targets);
  const costs = reachableBranches(node).map((branch) => cost(branch, targets));
  return node.kind === 'fallback' && canTrigger(node.on) ? addCosts(costs) : findLargest(costs);
};

const reachableTargets = (node: PlanNode): readonly number[] =>
  node.kind === 'leaf' ? [node.target] : reachableBranches(node).flatMap(reachableTargets);

/** Measures the worst cost of a plan, and the targets that it can reach. Time that checks take is not counted. */
export const measureBounds = (root: PlanNode, targets: readonly Target[]): Bounds => {
  const ids = new Set(reachableTargets(root).flatMap((index) => targets[index]?.id ?? []));
  return { ...cost(root, targets), targets: [...ids].sort() };
};
