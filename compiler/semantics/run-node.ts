import { errorTable } from '../../schema/errors/errors.ts';
import { statusMatcher } from '../../schema/http/status.ts';
import { mirrorWeights } from '../../schema/plan/mirror-weights.ts';
import type { ConditionalNode, FallbackNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import type { WhyNotContinued } from '../../schema/trail/trail.ts';
import { ableBranches, type Candidate } from './ability.ts';
import { branchesAvailable, listCandidates } from './availability.ts';
import { chosenBranch } from './chosen-branch.ts';
import { isEnded, type RequestRun, type Response } from './run.ts';
import { type Branch, runHedged } from './run-hedged.ts';
import { runLeaf } from './run-leaf.ts';
import { runMirrors, visitStart } from './run-mirrors.ts';
import { scenarioLack } from './scenario.ts';
import { runSteps, type Steps } from './steps.ts';

const branchAt = (branches: readonly PlanNode[], index: number): PlanNode => {
  const branch = branches[index];
  if (branch === undefined) throw new RangeError(`There is no branch ${index}.`);
  return branch;
};

type Choosing = FallbackNode | LoadbalanceNode;

/** Returns the able branches if the group requires that, and otherwise all. Records in the trail what was skipped. */
const ableCandidates = (node: Choosing, run: RequestRun): readonly Candidate[] => {
  const all = listCandidates(node);
  const able = ableBranches(node, all, run);
  const unable = all.filter((candidate) => !able.includes(candidate));
  if (unable.length > 0)
    run.trail.push({
      kind: 'unable',
      path: node.path,
      branches: unable.map(({ index }) => ({ branch: index, lacks: [scenarioLack] })),
    });
  return able;
};

/**
 * Returns the branches that a group keeps, among those that are able: the available ones, or all if none is available. Undefined
 * if none is able. Records in the trail what was skipped.
 */
const liveBranches = (node: Choosing, run: RequestRun): readonly number[] | undefined => {
  const candidates = ableCandidates(node, run);
  if (candidates.length === 0) return undefined;
  const available = branchesAvailable(candidates, run);
  const all = candidates.map(({ index }) => index);
  const kept = all.filter((_, at) => available[at]);
  if (kept.length === 0 || kept.length === all.length) return all;
  run.trail.push({ kind: 'skipped', path: node.path, branches: all.filter((_, at) => !available[at]) });
  return kept;
};

/** Returns the answer of a group that has no able branch. */
const refusal = ({ path }: Choosing): Response => ({
  ...{ status: errorTable['no-capable-target'].status, origin: 'gateway', path, retries: 0 },
  deliver: () => {},
  discard: () => {},
});

function* runLoadbalance(node: LoadbalanceNode, run: RequestRun): Steps<Response> {
  const kept = liveBranches(node, run);
  if (kept === undefined) return refusal(node);
  const odds = node.branches.map(({ weight }, index) => (kept.includes(index) ? weight : 0));
  // A chooser may choose any of them. How often it does is up to the chooser.
  const drawn = run.world.choose(node.balance === undefined ? odds : odds.map((weight) => Math.min(1, weight)));
  run.trail.push({ kind: 'chose', path: node.path, branch: drawn });
  return yield* runNode(
    branchAt(
      node.branches.map((branch) => branch.node),
      drawn,
    ),
    run,
  );
}

/** The branch that has answered a fallback, and those that it has not called. */
interface Answered {
  readonly response: Response;
  readonly from: number;
  readonly others: readonly Branch[];
}

/** Calls the next branch to continue a stream that broke; undefined if none does, with the reason in the trail. */
const continueStream = (
  { path, on }: FallbackNode,
  run: RequestRun,
  { from, others }: Omit<Answered, 'response'>,
): Answered | undefined => {
  const triggers = statusMatcher(on);
  const not = (reason: WhyNotContinued): undefined => {
    run.trail.push({ kind: 'notContinued', path, branch: from, reason });
    return undefined;
  };
  if (!triggers({ status: errorTable['stream-cut'].status, origin: 'network' })) return not('not-listed');
  for (const [at, { index: to, node }] of others.entries()) {
    const response = runSteps(runNode(node, { ...run, continuesStream: true }), run.world);
    if (response.cannotContinue === true) continue;
    if (response.isStream !== true || triggers(response)) {
      response.discard();
      return not('refused');
    }
    run.trail.push({ kind: 'continued', path, from, to, cause: 'stream-cut' });
    return { response, from: to, others: others.slice(at + 1) };
  }
  return not('no-branch');
};

/** Returns an answer whose stream continues at the branches that were not called, each at most once. */
const withContinuation = (node: FallbackNode, run: RequestRun, answered: Answered): Response => ({
  ...answered.response,
  deliver: () => {
    for (let now: Answered | undefined = answered; now !== undefined; now = continueStream(node, run, now))
      if (now.response.deliver() === undefined) return undefined;
    return 'broken';
  },
});

function* runFallback(node: FallbackNode, run: RequestRun): Steps<Response> {
  const { path, hedge } = node;
  const triggers = statusMatcher(node.on);
  const kept = liveBranches(node, run);
  if (kept === undefined) return refusal(node);
  const live = kept.map((index) => ({ index, node: branchAt(node.branches, index) }));
  const [first, second] = live;
  if (first === undefined) throw new RangeError('A fallback has branches.');
  const begun =
    hedge === undefined || second === undefined
      ? { response: yield* runNode(first.node, run), at: 0 }
      : yield* runHedged([first, second], run, { node, hedge, triggers, runNode });
  let { response, at } = begun;
  for (; at + 1 < live.length; at += 1) {
    const [from, next] = [live[at]?.index ?? 0, live[at + 1]];
    if (next === undefined || !triggers(response) || isEnded(run)) break;
    response.discard();
    run.trail.push({ kind: 'fellBack', path, from, to: next.index, status: response.status });
    response = yield* runNode(next.node, run);
  }
  return node.continues === true && response.isStream === true
    ? withContinuation(node, run, { response, from: live[at]?.index ?? 0, others: live.slice(at + 1) })
    : response;
}

const runConditional = (node: ConditionalNode, run: RequestRun): Steps<Response> => {
  const branch = chosenBranch(node, run);
  run.trail.push({ kind: 'chose', path: node.path, branch });
  return runNode(branchAt(node.branches, branch), run);
};

const runBare = (node: PlanNode, run: RequestRun): Steps<Response> => {
  switch (node.kind) {
    case 'leaf':
      return runLeaf(node, run);
    case 'loadbalance':
      return runLoadbalance(node, run);
    case 'fallback':
      return runFallback(node, run);
    case 'conditional':
      return runConditional(node, run);
  }
};

/** Runs one visit of a node by one request. Whether it is copied is drawn first. */
export function* runNode(node: PlanNode, run: RequestRun): Steps<Response> {
  const { mirrors } = node;
  if (mirrors === undefined) return yield* runBare(node, run);
  const drawn = mirrors.filter((mirror) => run.world.choose(mirrorWeights(mirror)) === 0);
  const before = visitStart(run);
  const response = yield* runBare(node, run);
  if (!run.isCut) runMirrors({ node, drawn }, run, before);
  return response;
}
