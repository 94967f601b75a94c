import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rewritePlan } from '../../compiler/optimise/rewrite-plan.ts';
import { measureBounds } from '../../compiler/semantics/bounds.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import type { RequestOutcome } from '../../compiler/semantics/outcome.ts';
import type { Scenario } from '../../compiler/semantics/scenario.ts';
import type { StatusRule } from '../../schema/http/status.ts';
import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import { listNodes } from '../../schema/plan/list-branches.ts';
import { listCalledLeaves, listLeaves } from '../../schema/plan/list-leaves.ts';
import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { LeafNode, PlanNode, Target } from '../../schema/plan/plan.ts';
import { partsScenario } from '../support/arbitraries/plan-scenario.ts';
import { targetAt } from '../support/plans/plan-nodes.ts';
import { lawRuns, slowLawMs } from '../support/run/law-runs.ts';

/** Returns a status on which a fallback continues. */
const triggering = (on: StatusRule): number | undefined =>
  on.kind === 'codes' ? on.codes.find((code) => code >= 200) : 500;

/** What each leaf's last attempt answers, by target, so that every fallback continues and the root answers `status`. */
const lastAnswers = (node: PlanNode, status: number): ReadonlyMap<number, number> => {
  switch (node.kind) {
    case 'leaf':
      return new Map([[node.target, status]]);
    case 'loadbalance':
      return new Map(node.branches.flatMap((branch) => [...lastAnswers(branch.node, status)]));
    case 'conditional':
      return new Map(node.branches.flatMap((branch) => [...lastAnswers(branch, status)]));
    case 'fallback': {
      const onwards = triggering(node.on) ?? status;
      const last = node.branches.length - 1;
      return new Map(
        node.branches.flatMap((branch, index) => [...lastAnswers(branch, index === last ? status : onwards)]),
      );
    }
  }
};

/** Checks, contradicting conditions and fallbacks that nothing triggers can make the worst case impossible. */
const canReachItsBound = (root: PlanNode): boolean =>
  listNodes(root).every((node) => {
    if (node.kind === 'leaf') return node.stages.every(({ kind }) => kind === 'breaker' || kind === 'retry');
    return node.kind === 'loadbalance' || (node.kind === 'fallback' && triggering(node.on) !== undefined);
  });

const countCalls = (request: RequestOutcome | undefined): number =>
  (request?.calls.length ?? 0) + (request?.mirrors?.length ?? 0);

/** Returns the plan with a separate target for each leaf. */
const withOwnTargets = (root: PlanNode): { readonly root: PlanNode; readonly targets: readonly Target[] } => {
  const leaves = listCalledLeaves(root);
  const own = (leaf: LeafNode): LeafNode => ({ ...leaf, target: leaves.indexOf(leaf) });
  const renumbered = (node: PlanNode): PlanNode => {
    const below = node.kind === 'leaf' ? own(node) : mapBranches(node, renumbered);
    const { mirrors } = node;
    return mirrors === undefined
      ? below
      : { ...below, mirrors: mapNonEmpty(mirrors, (mirror) => ({ ...mirror, leaf: own(mirror.leaf) })) };
  };
  return { root: renumbered(root), targets: leaves.map((_, index) => targetAt(index)) };
};

/**
 * Returns the plan without hedges, so that branches are called one after another. With a hedge, the second branch may answer
 * before the first has tried everything.
 */
const unhedged = (node: PlanNode): PlanNode => {
  const inner = node.kind === 'leaf' ? node : mapBranches(node, unhedged);
  if (inner.kind !== 'fallback') return inner;
  const { hedge: _hedge, ...rest } = inner;
  return rest;
};

/** One request for which every attempt that can be retried fails on the network, and the last attempts answer as above. */
const findWorst = (root: PlanNode): Scenario => {
  const answers = lastAnswers(root, 400);
  const retries = new Map(
    listLeaves(root).map(({ target, stages }) => [
      target,
      stages.reduce((sum, stage) => (stage.kind === 'retry' ? stage.attempts : sum), 0),
    ]),
  );
  return {
    requests: [{ afterMs: 0, facts: { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } } }],
    upstream: (id, nth) => {
      const target = Number(id.slice(1));
      return nth <= (retries.get(target) ?? 0)
        ? { kind: 'network', cause: 'connection-failed' }
        : { kind: 'answer', status: answers.get(target) ?? 400, headers: {} };
    },
  };
};

describe('the bounds of every plan', { timeout: slowLawMs }, () => {
  it('are not exceeded by any request', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan, scenario }) => {
        const bounds = measureBounds(plan.root, plan.targets, plan);
        for (const { outcome } of planMeaning(plan, scenario))
          for (const { calls, tookMs, mirrors = [] } of outcome.requests) {
            expect(calls.length + mirrors.length).toBeLessThanOrEqual(bounds.calls);
            expect(bounds.targets.filter((id) => mirrors.some(({ target }) => target === id))).toEqual([]);
            expect(tookMs).toBeLessThanOrEqual(bounds.waitMs);
            expect(bounds.targets).toEqual(expect.arrayContaining(calls.map(({ target }) => target)));
          }
      }),
      lawRuns,
    );
  });

  it('are not widened by rewriting the plan', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan }) => {
        const [before, after] = [plan.root, rewritePlan(plan.root)].map((root) =>
          measureBounds(root, plan.targets, plan),
        );
        if (before === undefined || after === undefined) throw new Error('Both are measured.');
        expect(after.calls).toBeLessThanOrEqual(before.calls);
        expect(after.waitMs).toBeLessThanOrEqual(before.waitMs);
        expect(before.targets).toEqual(expect.arrayContaining([...after.targets]));
      }),
      lawRuns,
    );
  });

  it('state a number of calls that some request makes, if nothing rules out the worst case', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan }) => {
        const root = rewritePlan(plan.root);
        fc.pre(canReachItsBound(root));
        const own = withOwnTargets(root);
        const worst = planMeaning({ ...own, root: unhedged(own.root) }, findWorst(own.root));
        const most = Math.max(...worst.map(({ outcome }) => countCalls(outcome.requests[0])));
        expect(most).toBe(measureBounds(own.root, own.targets).calls);
      }),
      lawRuns,
    );
  });
});
