import { statusMatcher } from '../../schema/http/status.ts';
import type { ConditionalNode, FallbackNode, GroupNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { branchesAvailable, chosenBranch } from './availability.ts';
import { isEnded, type RequestRun, type Response } from './run.ts';
import { runHedged } from './run-hedged.ts';
import { runLeaf } from './run-leaf.ts';
import type { Steps } from './steps.ts';

const branchAt = (branches: readonly PlanNode[], index: number): PlanNode => {
  const branch = branches[index];
  if (branch === undefined) throw new RangeError(`There is no branch ${index}.`);
  return branch;
};

/** The branches a group keeps: the available ones, or all where none is. Writes to the trail what was left out. */
const liveBranches = (
  node: GroupNode,
  candidates: readonly { readonly index: number; readonly node: PlanNode }[],
  run: RequestRun,
): readonly number[] => {
  const available = branchesAvailable(
    candidates.map((candidate) => candidate.node),
    run,
  );
  const all = candidates.map(({ index }) => index);
  const kept = all.filter((_, at) => available[at]);
  if (kept.length === 0 || kept.length === all.length) return all;
  run.trail.push({ kind: 'skipped', path: node.path, branches: all.filter((_, at) => !available[at]) });
  return kept;
};

const runLoadbalance = (node: LoadbalanceNode, run: RequestRun): Steps<Response> => {
  const weighted = node.branches.flatMap((branch, index) =>
    branch.weight > 0 ? [{ index, node: branch.node, weight: branch.weight }] : [],
  );
  const kept = liveBranches(node, weighted, run);
  const odds = node.branches.map(({ weight }, index) => (kept.includes(index) ? weight : 0));
  // A chooser may choose each of them: how often is its own affair.
  const drawn = run.world.choose(node.balance === undefined ? odds : odds.map((weight) => Math.min(1, weight)));
  run.trail.push({ kind: 'chose', path: node.path, branch: drawn });
  return runNode(
    branchAt(
      node.branches.map((branch) => branch.node),
      drawn,
    ),
    run,
  );
};

function* runFallback(node: FallbackNode, run: RequestRun): Steps<Response> {
  const { path, hedge } = node;
  const triggers = statusMatcher(node.on);
  const candidates = node.branches.map((branch, index) => ({ index, node: branch }));
  const live = liveBranches(node, candidates, run).map((index) => ({ index, node: branchAt(node.branches, index) }));
  const [first, second] = live;
  if (first === undefined) throw new RangeError('A fallback has branches.');
  const begun =
    hedge === undefined || second === undefined
      ? { response: yield* runNode(first.node, run), at: 0 }
      : yield* runHedged([first, second], run, { node, hedge, triggers, runNode });
  let { response } = begun;
  let from = live[begun.at]?.index ?? 0;
  for (const { index: to, node: next } of live.slice(begun.at + 1)) {
    if (!triggers(response) || isEnded(run)) break;
    response.discard();
    run.trail.push({ kind: 'fellBack', path, from, to, status: response.status });
    response = yield* runNode(next, run);
    from = to;
  }
  return response;
}

const runConditional = (node: ConditionalNode, run: RequestRun): Steps<Response> => {
  const branch = chosenBranch(node, run);
  run.trail.push({ kind: 'chose', path: node.path, branch });
  return runNode(branchAt(node.branches, branch), run);
};

/** One visit of a node by one request. */
export const runNode = (node: PlanNode, run: RequestRun): Steps<Response> => {
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
