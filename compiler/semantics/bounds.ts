import { mayAskForRetry } from '../../schema/plan/may-ask-for-retry.ts';
import {
  type Bounds,
  type LeafNode,
  longestStageMs,
  type Mirror,
  type PlanNode,
  type RoutingPlan,
  type Target,
} from '../../schema/plan/plan.ts';
import type { RequestBounds } from '../../schema/plan/request-bounds.ts';
import { defaultTimeoutMs, maxOtherKeys } from '../../schema/plan/schedule.ts';
import { findStage } from '../../schema/plan/stages.ts';
import { canTrigger } from '../optimise/can-trigger.ts';
import { reachableBranches } from './reachable-branches.ts';

interface Cost extends Pick<Bounds, 'calls' | 'waitMs'> {
  readonly nanoUsd: number;
}

/** Returns the maximum cost of a call to a target, in billionths of a US dollar; undefined if unknown. */
export type CallCost = (target: Target) => number | undefined;

interface Costed {
  readonly targets: readonly Target[];
  readonly callCost: CallCost;
}

/** The maximum number of calls that a target makes for one attempt: with its key, and then immediately with others. */
const maxAttemptsOfOne = ({ credential }: Target): number => {
  if (credential?.kind !== 'keys') return 1;
  const used = credential.keys.filter(({ weight }) => weight > 0).length;
  return 1 + Math.min(used - 1, maxOtherKeys);
};

const leafCost = (leaf: LeafNode, { targets, callCost }: Costed): Cost => {
  const forChecks = mayAskForRetry(findStage(leaf, 'output-checks')?.hooks ?? []) ? 1 : 0;
  const target = targets[leaf.target];
  const attempts = 1 + (findStage(leaf, 'retry')?.attempts ?? 0) + forChecks;
  const calls = attempts * (target === undefined ? 1 : maxAttemptsOfOne(target));
  const timeoutMs = target?.timeoutMs ?? defaultTimeoutMs;
  // An unknown cost has no bound.
  const nanoUsd = calls * ((target && callCost(target)) ?? Number.POSITIVE_INFINITY);
  const waits = leaf.stages.reduce((sum, stage) => sum + longestStageMs(stage.kind, stage), 0);
  return { calls, waitMs: calls * timeoutMs + waits, nanoUsd };
};

const addCosts = (costs: readonly Cost[]): Cost => ({
  calls: costs.reduce((sum, { calls }) => sum + calls, 0),
  waitMs: costs.reduce((sum, { waitMs }) => sum + waitMs, 0),
  nanoUsd: costs.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0),
});

const findLargest = (costs: readonly Cost[]): Cost => ({
  calls: Math.max(...costs.map(({ calls }) => calls)),
  waitMs: Math.max(...costs.map(({ waitMs }) => waitMs)),
  nanoUsd: Math.max(...costs.map(({ nanoUsd }) => nanoUsd)),
});

/** Nobody waits for a copy. */
const mirrorCost = ({ leaf }: Mirror, costed: Costed): Cost => ({ ...leafCost(leaf, costed), waitMs: 0 });

const ownCost = (node: PlanNode, costed: Costed): Cost => {
  if (node.kind === 'leaf') return leafCost(node, costed);
  const costs = reachableBranches(node).map((branch) => cost(branch, costed));
  return node.kind === 'fallback' && (canTrigger(node.on) || node.hedge !== undefined)
    ? addCosts(costs)
    : findLargest(costs);
};

const cost = (node: PlanNode, costed: Costed): Cost => {
  const own = ownCost(node, costed);
  const { mirrors } = node;
  return mirrors === undefined ? own : addCosts([own, ...mirrors.map((mirror) => mirrorCost(mirror, costed))]);
};

/** Lists the targets that can answer below a node. No client gets an answer of a mirror's target. */
const reachableTargets = (node: PlanNode): readonly number[] =>
  node.kind === 'leaf' ? [node.target] : reachableBranches(node).flatMap(reachableTargets);

/** Computes the worst-case cost of a plan, and the targets that it can reach. Does not include the time of checks. */
export const measureBounds = (
  root: PlanNode,
  targets: readonly Target[],
  { deadlineMs = Number.POSITIVE_INFINITY }: RequestBounds = {},
): Bounds => {
  const ids = new Set(reachableTargets(root).flatMap((index) => targets[index]?.id ?? []));
  const { calls, waitMs } = cost(root, { targets, callCost: () => undefined });
  return { calls, waitMs: Math.min(waitMs, deadlineMs), targets: [...ids].sort() };
};

/** Returns the maximum cost of one request, in billionths of a US dollar; undefined if the cost of a call has no known bound. */
export const worstCost = (
  { root, targets }: Pick<RoutingPlan, 'root' | 'targets'>,
  callCost: CallCost,
): number | undefined => {
  const { nanoUsd } = cost(root, { targets, callCost });
  return Number.isFinite(nanoUsd) ? nanoUsd : undefined;
};
