import type { Bounds, LeafNode, PlanNode, RetryStage, Target } from '../../schema/plan.ts';
import { backoff, defaultTimeoutMs, maxRetryWaitMs } from '../../schema/schedule.ts';
import { stageOf } from '../../schema/stage-of.ts';
import { canTrigger } from '../rewrites/can-trigger.ts';
import { reachableBranches } from './reachable-branches.ts';

type Cost = Pick<Bounds, 'calls' | 'waitMs'>;

/** The longest sum of a leaf's waits: a provider that is heeded can use up the whole minute. */
const longestWaits = ({ attempts, on, useRetryAfter }: RetryStage): number => {
  if (useRetryAfter && on.length > 0) return maxRetryWaitMs;
  const waits = Array.from({ length: attempts }, (_, index) => backoff(index + 1).to);
  return Math.min(
    maxRetryWaitMs,
    waits.reduce((sum, wait) => sum + wait, 0),
  );
};

const leafCost = (leaf: LeafNode, targets: readonly Target[]): Cost => {
  const retry = stageOf(leaf, 'retry');
  const calls = 1 + (retry?.attempts ?? 0);
  const timeoutMs = targets[leaf.target]?.timeoutMs ?? defaultTimeoutMs;
  return { calls, waitMs: calls * timeoutMs + (retry === undefined ? 0 : longestWaits(retry)) };
};

const sumOf = (costs: readonly Cost[]): Cost => ({
  calls: costs.reduce((sum, { calls }) => sum + calls, 0),
  waitMs: costs.reduce((sum, { waitMs }) => sum + waitMs, 0),
});

const largestOf = (costs: readonly Cost[]): Cost => ({
  calls: Math.max(...costs.map(({ calls }) => calls)),
  waitMs: Math.max(...costs.map(({ waitMs }) => waitMs)),
});

const cost = (node: PlanNode, targets: readonly Target[]): Cost => {
  if (node.kind === 'leaf') return leafCost(node, targets);
  const costs = reachableBranches(node).map((branch) => cost(branch, targets));
  return node.kind === 'fallback' && canTrigger(node.on) ? sumOf(costs) : largestOf(costs);
};

const reachableTargets = (node: PlanNode): readonly number[] =>
  node.kind === 'leaf' ? [node.target] : reachableBranches(node).flatMap(reachableTargets);

/** What a plan may cost at the worst, and the targets that it can reach. Time that checks take is not counted. */
export const measureBounds = (root: PlanNode, targets: readonly Target[]): Bounds => {
  const ids = new Set(reachableTargets(root).flatMap((index) => targets[index]?.id ?? []));
  return { ...cost(root, targets), targets: [...ids].sort() };
};
