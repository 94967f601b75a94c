import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlans, isUnchanged, type PlanDiff } from '../../compiler/compare/compare-plans.ts';
import { leafIdentity } from '../../compiler/compare/leaf-identity.ts';
import { rewritePlan } from '../../compiler/optimise/rewrite-plan.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import { observableMeaning } from '../../compiler/semantics/observable-meaning.ts';
import { add, formatRational, parseRational, zero } from '../../compiler/semantics/rational.ts';
import type { Reply, Scenario } from '../../compiler/semantics/scenario.ts';
import { statusMatcher } from '../../schema/http/status.ts';
import type { Facts } from '../../schema/plan/condition.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import { listNodesOf } from '../../schema/plan/list-branches.ts';
import { listCalledLeaves } from '../../schema/plan/list-leaves.ts';
import { facts } from '../support/arbitraries/condition.ts';
import { type PlanParts, planParts } from '../support/arbitraries/plan.ts';
import { changedPlan, plainParts } from '../support/arbitraries/plan-pair.ts';
import { bounded, spread } from '../support/arbitraries/plan-scenario.ts';
import { scenario } from '../support/arbitraries/scenario.ts';
import { codes, leafAt, targetTable, toFallback } from '../support/plans/plan-nodes.ts';
import { dearestLawRuns, dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

/** One status of each kind that the fallbacks of the plans distinguish. */
const distinguished = (...plans: readonly PlanParts[]): readonly number[] => {
  const rules = plans.flatMap(({ root }) => listNodesOf('fallback', root).map(({ on }) => statusMatcher(on)));
  const kinds = new Map<string, number>();
  for (let status = 200; status < 600; status += 1)
    kinds.set(rules.map((matches) => matches({ status, origin: 'upstream' })).join(), status);
  return [...kinds.values()];
};

/** The chosen replies, by target and number of its call. All other calls answer 200. */
type Script = ReadonlyMap<string, Reply>;

const callName = (target: string, nth: number): string => `${target} ${nth}`;

/**
 * Returns the outcomes of a plan by what is sent and answered, with their probabilities, and the first calls that the script
 * does not cover.
 */
const outcomes = (plan: PlanParts, asked: Facts, script: Script) => {
  const found = new Map<string, string>();
  const open = new Set<string>();
  const meaning = planMeaning(plan, {
    requests: [{ afterMs: 0, facts: asked }],
    upstream: (target, nth) => {
      const name = callName(target, nth);
      if (!script.has(name)) open.add(name);
      return script.get(name) ?? { kind: 'answer', status: 200, headers: {} };
    },
  });
  for (const { probability, outcome } of meaning) {
    const [request] = outcome.requests;
    const { calls = [], answer } = request ?? {};
    const key = JSON.stringify([calls.map(({ target }) => target), answer?.status, answer?.origin]);
    found.set(key, formatRational(add(parseRational(found.get(key) ?? '0/1'), parseRational(probability))));
  }
  return { found: [...found].sort(), open: [...open] };
};

/** Runs both plans with all scripts that they distinguish. Returns whether any has different outcomes. */
const differByForce = (before: PlanParts, after: PlanParts, asked: Facts): boolean => {
  const statuses = distinguished(before, after);
  const left: Script[] = [new Map()];
  for (let script = left.pop(); script !== undefined; script = left.pop()) {
    const [one, other] = [outcomes(before, asked, script), outcomes(after, asked, script)];
    if (JSON.stringify(one.found) !== JSON.stringify(other.found)) return true;
    const [next] = [...one.open, ...other.open];
    if (next === undefined) continue;
    for (const status of statuses) left.push(new Map([...script, [next, { kind: 'answer', status, headers: {} }]]));
  }
  return false;
};

const isChangedFor = ({ changes }: PlanDiff, asked: Facts): boolean =>
  changes.some(({ when }) => conditionMatcher(when)(asked));

const isSmall = ({ root, targets }: PlanParts): boolean =>
  spread(root, targets) <= 12 && listCalledLeaves(root).length <= 6;

const plainPair = changedPlan(plainParts.filter(isSmall)).filter(({ after }) => isSmall(after));

/** Returns a meaning without the names of targets and places. */
const nameless = (plan: PlanParts, scene: Scenario): string => {
  const leaves = new Map(listCalledLeaves(plan.root).map((leaf) => [leaf.path, leaf]));
  const identities = [...leaves].flatMap(([path, leaf]) => {
    const target = plan.targets[leaf.target];
    return target === undefined ? [] : [[path, leafIdentity(leaf, target).whole] as const];
  });
  const names = new Map<string, string>(identities);
  const meaning = observableMeaning(planMeaning(plan, scene));
  const text = meaning.map(({ probability, outcome }) => {
    const requests = outcome.requests.map(({ calls, waits, answer, tookMs, mirrors = [] }) => ({
      calls: calls.map(({ path, attempt }) => [names.get(path), attempt]),
      ...{ waits, tookMs, mirrors: mirrors.map(({ target, status, origin }) => [target, status, origin]).sort() },
      answer: { ...answer, path: names.get(answer.path) },
    }));
    return { probability, key: JSON.stringify(requests) };
  });
  const merged = new Map<string, string>();
  for (const { probability, key } of text)
    merged.set(
      key,
      formatRational(add(parseRational(merged.get(key) ?? formatRational(zero)), parseRational(probability))),
    );
  return JSON.stringify([...merged].sort());
};

describe('a difference between two plans', { timeout: slowLawMs }, () => {
  it('is reported for exactly the requests whose outcomes differ for some script of replies', () => {
    fc.assert(
      fc.property(plainPair, fc.array(facts, { minLength: 1, maxLength: 6 }), ({ before, after }, asked) => {
        const diff = comparePlans(before, after);
        expect(diff.undecided).toEqual([]);
        const examples = diff.changes.flatMap(({ example }) => example ?? []);
        for (const example of examples) expect(isChangedFor(diff, example)).toBe(true);
        for (const request of [...asked, ...examples])
          expect(isChangedFor(diff, request)).toBe(differByForce(before, after, request));
      }),
      dearestLawRuns,
    );
  });

  it('is absent only if both mean the same in every scenario, with any circuits, checks, hedges and mirrors', () => {
    const pair = changedPlan(planParts.filter(({ root, targets }) => spread(root, targets) <= 60));
    const scenarios = fc.array(scenario, { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(pair, scenarios, ({ before, after }, scenes) => {
        fc.pre(spread(after.root, after.targets) <= 200);
        const diff = comparePlans(before, after);
        fc.pre(isUnchanged(diff));
        const larger = spread(before.root, before.targets) > spread(after.root, after.targets) ? before : after;
        for (const scene of scenes) {
          const run = bounded(scene, larger);
          expect(nameless(after, run)).toBe(nameless(before, run));
        }
      }),
      dearLawRuns,
    );
  });

  it('is reported if an outer fallback continues after an answer on which the inner one stops', () => {
    const nested = (last: number): PlanParts => ({
      root: toFallback(codes(503), toFallback(codes(429), leafAt(0), leafAt(1)), leafAt(last)),
      targets: targetTable.map((target) => ({ ...target, from: { kind: 'inline', provider: target.id } })),
    });
    expect(comparePlans(nested(2), nested(3)).changes).toMatchObject([{ tree: { kind: 'route' } }]);
    expect(isUnchanged(comparePlans(nested(2), nested(2)))).toBe(true);
  });

  it('is absent after all rewrites', () => {
    fc.assert(
      fc.property(planParts, (before) => {
        const diff = comparePlans(before, { ...before, root: rewritePlan(before.root) });
        expect(diff.changes).toEqual([]);
        expect(diff.undecided).toEqual([]);
      }),
      dearLawRuns,
    );
  });
});
