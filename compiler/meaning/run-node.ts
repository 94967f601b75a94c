import { statusMatcher } from '../../schema/http/status.ts';
import { mirrorOdds } from '../../schema/plan/mirror-odds.ts';
import type { ConditionalNode, FallbackNode, GroupNode, LoadbalanceNode, PlanNode } from '../../schema/plan/plan.ts';
import { branchesAvailable, chosenBranch } from './availability.ts';
import { isPast, type RequestRun, type Response } from './run.ts';
import { runLeaf } from './run-leaf.ts';
import { runMirrors, visitStart } from './run-mirrors.ts';

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

const runLoadbalance = (node: LoadbalanceNode, run: RequestRun): Response => {
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

const runFallback = (node: FallbackNode, run: RequestRun): Response => {
  const triggers = statusMatcher(node.on);
  const candidates = node.branches.map((branch, index) => ({ index, node: branch }));
  const [first = 0, ...others] = liveBranches(node, candidates, run);
  let response = runNode(branchAt(node.branches, first), run);
  let from = first;
  for (const to of others) {
    if (!triggers(response) || isPast(run)) break;
    response.discard();
    run.trail.push({ kind: 'fellBack', path: node.path, from, to, status: response.status });
    response = runNode(branchAt(node.branches, to), run);
    from = to;
  }
  return response;
};

const runConditional = (node: ConditionalNode, run: RequestRun): Response => {
  const branch = chosenBranch(node, run);
  run.trail.push({ kind: 'chose', path: node.path, branch });
  return runNode(branchAt(node.branches, branch), run);
};

const runBare = (node: PlanNode, run: RequestRun): Response => {
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

/** One visit of a node by one request: whether it is copied is drawn first. */
export const runNode = (node: PlanNode, run: RequestRun): Response => {
  const { mirrors } = node;
  if (mirrors === undefined) return runBare(node, run);
  const drawn = mirrors.filter((mirror) => run.world.choose(mirrorOdds(mirror)) === 0);
  const before = visitStart(run);
  const response = runBare(node, run);
  runMirrors({ node, drawn }, run, before);
  return response;
};
