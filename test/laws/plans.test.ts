import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import type { Meaning, RequestOutcome } from '../../compiler/semantics/outcome.ts';
import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';
import { listNodes } from '../../schema/plan/list-branches.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import { mapBranches } from '../../schema/plan/map-branches.ts';
import { mayAskForRetry } from '../../schema/plan/may-ask-for-retry.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import { findStage } from '../../schema/plan/stages.ts';
import type { PlanParts } from '../support/arbitraries/plan.ts';
import { partsScenario } from '../support/arbitraries/plan-scenario.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const toRequests = (meaning: Meaning): readonly RequestOutcome[] => meaning.flatMap(({ outcome }) => outcome.requests);

/** Checks every request of every outcome of generated plans. */
const always = (law: (request: RequestOutcome, plan: PlanParts) => void): void => {
  fc.assert(
    fc.property(partsScenario, ({ plan, scenario }) => {
      for (const request of toRequests(planMeaning(plan, scenario))) law(request, plan);
    }),
    dearLawRuns,
  );
};

const callsBelow = ({ calls }: RequestOutcome, ancestor: JsonPointer): readonly JsonPointer[] =>
  calls.map(({ path }) => path).filter((path) => path === ancestor || path.startsWith(`${ancestor}/`));

const scaled = (node: PlanNode, by: number): PlanNode => {
  const grown = mapBranches(node, (branch) => scaled(branch, by));
  if (grown.kind !== 'loadbalance') return grown;
  return {
    ...grown,
    branches: mapNonEmpty(grown.branches, ({ weight, ...branch }) => ({ ...branch, weight: weight * by })),
  };
};

describe('the meaning of every plan', { timeout: slowLawMs }, () => {
  it('has probabilities that add up to one', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan, scenario }) => {
        const parts = planMeaning(plan, scenario).map(({ probability }) => probability.split('/').map(BigInt));
        const whole = parts.reduce((product, [, below = 1n]) => product * below, 1n);
        const sum = parts.reduce((total, [above = 0n, below = 1n]) => total + (above * whole) / below, 0n);
        expect(sum).toBe(whole);
      }),
      dearLawRuns,
    );
  });

  it('does not change if all weights are multiplied by the same number', () => {
    fc.assert(
      fc.property(partsScenario, fc.integer({ min: 2, max: 1000 }), ({ plan, scenario }, by) => {
        fc.pre(listNodes(plan.root).some(({ kind }) => kind === 'loadbalance'));
        const grown = planMeaning({ ...plan, root: scaled(plan.root, by) }, scenario);
        expect(grown).toEqual(planMeaning(plan, scenario));
      }),
      dearLawRuns,
    );
  });

  it('never contains a call of a branch with weight 0', () => {
    always((request, { root }) => {
      for (const node of listNodes(root))
        if (node.kind === 'loadbalance')
          for (const branch of node.branches)
            if (branch.weight === 0) expect(callsBelow(request, branch.node.path)).toEqual([]);
    });
  });

  it('limits the calls of a leaf by its retries, its checks and its keys, and numbers them consecutively', () => {
    always((request, { root, targets }) => {
      for (const leaf of listLeaves(root)) {
        const forChecks = mayAskForRetry(findStage(leaf, 'output-checks')?.hooks ?? []) ? 1 : 0;
        const retries = (findStage(leaf, 'retry')?.attempts ?? 0) + forChecks;
        const attempts = request.calls.filter((call) => call.path === leaf.path).map(({ attempt }) => attempt);
        const target = targets[leaf.target];
        const ofOne = target?.credential?.kind === 'keys' ? Math.min(target.credential.keys.length, 3) : 1;
        // A stream can continue at a target whose call a hedge cancelled earlier. That target is called again, starting with
        // its first attempt.
        const mayReturn = listNodes(root).some(
          (node) => node.kind === 'fallback' && node.hedge !== undefined && node.continues === true,
        );
        const starts = attempts.flatMap((attempt, index) => (attempt === 1 ? [index] : []));
        expect(starts.length).toBeLessThanOrEqual(mayReturn ? 2 : 1);
        for (const [at, start] of starts.entries()) {
          const run = attempts.slice(start, starts[at + 1]);
          expect(run.length).toBeLessThanOrEqual((retries + 1) * ofOne);
          expect(run).toEqual(run.map((_, index) => index + 1));
        }
        expect(starts[0] ?? 0).toBe(0);
      }
    });
  });

  it('visits the branches of a fallback in order, and passes over only those that are skipped or unable', () => {
    always(({ trail }, { root }) => {
      for (const node of listNodes(root)) {
        if (node.kind !== 'fallback') continue;
        const here = trail.filter((event) => 'path' in event && event.path === node.path);
        const visited = here.flatMap((event) => (event.kind === 'fellBack' ? [event.from, event.to] : []));
        const leftOut = here.flatMap((event) => {
          if (event.kind === 'unable') return event.branches.map(({ branch }) => branch);
          return event.kind === 'skipped' ? event.branches : [];
        });
        const indices = node.branches.map((_, index) => index);
        const due = indices.filter((index) => index <= Math.max(-1, ...visited) && !leftOut.includes(index));
        expect([...new Set(visited)]).toEqual(due);
      }
    });
  });

  it('contains no call of a branch that was skipped because of its circuit', () => {
    always((request) => {
      for (const event of request.trail)
        if (event.kind === 'skipped')
          for (const branch of event.branches)
            expect(callsBelow(request, childPointer(event.path, 'targets', branch))).toEqual([]);
    });
  });

  it('skips no branch for the first request, when all circuits are still closed', () => {
    fc.assert(
      fc.property(partsScenario, ({ plan, scenario }) => {
        const first = { ...scenario, requests: scenario.requests.slice(0, 1) };
        for (const { trail } of toRequests(planMeaning(plan, first)))
          expect(trail.filter(({ kind }) => kind === 'skipped')).toEqual([]);
      }),
      dearLawRuns,
    );
  });
});
