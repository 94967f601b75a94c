import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, readFailure } from '../../compiler/reliability/failure.ts';
import { conditionLimits } from '../../compiler/reliability/odds-limits.ts';
import { chosenBy, listKinds } from '../../compiler/reliability/plan-kinds.ts';
import { planOdds } from '../../compiler/reliability/plan-odds.ts';
import { planMeaning } from '../../compiler/semantics/meaning.ts';
import {
  add,
  formatRational,
  multiply,
  one,
  parseRational,
  type Rational,
  rational,
  zero,
} from '../../compiler/semantics/rational.ts';
import type { Reply } from '../../compiler/semantics/scenario.ts';
import { isSuccess } from '../../schema/http/status.ts';
import type { Facts } from '../../schema/plan/condition.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import { type PlanParts, planParts } from '../support/arbitraries/plan.ts';
import { spread } from '../support/arbitraries/plan-scenario.ts';
import { lawRuns, slowLawMs } from '../support/run/law-runs.ts';

const facts: Facts = { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } };

const failure = fc.constantFrom('0', '0.5:503', '0.25', '0.1:429', '1:timeout', '0.5:network', '0.125:400', '1');

const toReply = ({ outcome, isLate }: Failure): Reply => {
  if (isLate) return { kind: 'hang' };
  return outcome.origin === 'network'
    ? { kind: 'network', cause: 'connection-failed' }
    : { kind: 'answer', status: outcome.status, headers: {} };
};

const complement = ({ numerator, denominator }: Rational): Rational => rational(denominator - numerator, denominator);

/** Whether a check denies the texts that pass. Here, every check passes. */
const denyWhatPasses = ({ root }: PlanParts): boolean =>
  listLeaves(root).some(({ stages }) =>
    stages.some((stage) => 'hooks' in stage && stage.hooks.some(({ deny }) => deny.onSuccess)),
  );

/** The maximum number of calls that can fail by chance, so that all combinations can be tried. */
const maxDrawn = 6;

/** Computes the odds of a request from the plan's meaning: every combination of failing calls, with its probability. */
const byMeaning = ({ root, targets, deadlineMs }: PlanParts, failures: ReadonlyMap<string, Failure>) => {
  const sums = { calls: zero, waitMs: zero, served: zero };
  const answers = new Map<string, Rational>();
  const reached = new Map<string, Rational>();
  const addTo = (map: Map<string, Rational>, key: string, share: Rational): void => {
    map.set(key, add(map.get(key) ?? zero, share));
  };
  /** Runs with the outcomes chosen so far. At the first undecided call, runs again with each of its two outcomes. */
  const run = (script: ReadonlyMap<string, boolean>, share: Rational): void => {
    let open: { readonly key: string; readonly probability: Rational } | undefined;
    const upstream = (target: string, nth: number): Reply => {
      const ok: Reply = { kind: 'answer', status: 200, headers: {} };
      const fails = failures.get(target);
      if (fails === undefined || fails.probability.numerator === 0n) return ok;
      const key = `${target} ${nth}`;
      const known = script.get(key);
      if (known === undefined && fails.probability.numerator !== fails.probability.denominator)
        open ??= { key, probability: fails.probability };
      return known === false ? ok : toReply(fails);
    };
    const parts = { root, targets, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
    const outcomes = planMeaning(parts, { requests: [{ afterMs: 0, facts }], upstream });
    if (open !== undefined) {
      const { key, probability } = open;
      if (script.size >= maxDrawn) throw new RangeError('There are too many calls.');
      run(new Map([...script, [key, true]]), multiply(share, probability));
      run(new Map([...script, [key, false]]), multiply(share, complement(probability)));
      return;
    }
    for (const { probability, outcome } of outcomes) {
      const [request] = outcome.requests;
      if (request === undefined) throw new Error('There is one request.');
      const own = multiply(share, parseRational(probability));
      const { calls, answer, mirrors = [], tookMs } = request;
      const count = BigInt(calls.length + mirrors.length);
      sums.calls = add(sums.calls, multiply(own, rational(count, 1n)));
      sums.waitMs = add(sums.waitMs, multiply(own, rational(BigInt(tookMs), 1n)));
      if (isSuccess(answer.status)) sums.served = add(sums.served, own);
      addTo(answers, answer.path, own);
      for (const path of new Set(calls.map((call) => call.path))) addTo(reached, path, own);
    }
  };
  run(new Map(), one);
  return { ...sums, answers, reached };
};

const written = (map: ReadonlyMap<string, Rational>): object =>
  Object.fromEntries(
    [...map].filter(([, { numerator }]) => numerator > 0n).map(([key, share]) => [key, formatRational(share)]),
  );

describe('the odds of a plan', () => {
  it('match its meaning exactly if they ignore nothing that applies', { timeout: slowLawMs }, () => {
    let exact = 0;
    fc.assert(
      fc.property(
        planParts.filter(({ root, targets }) => spread(root, targets) <= 40),
        fc.array(failure, { minLength: 6, maxLength: 6 }),
        (plan, texts) => {
          const failures = new Map(
            texts.map((text, index) => {
              const read = readFailure(text);
              if (read === undefined) throw new Error(`${text} is no failure.`);
              return [`t${index}`, read] as const;
            }),
          );
          const choose = ({ cases, otherwise }: Parameters<Parameters<typeof planOdds>[1]['choose']>[0]): number =>
            cases.find(({ when }) => conditionMatcher(when)(facts))?.branch ?? otherwise;
          const odds = planOdds(plan, { failures, choose });
          fc.pre(odds.limits.every((limit) => conditionLimits.has(limit)) && !denyWhatPasses(plan));
          let meant: ReturnType<typeof byMeaning>;
          try {
            meant = byMeaning(plan, failures);
          } catch (error) {
            if (!(error instanceof RangeError)) throw error;
            fc.pre(false);
            return;
          }
          exact += 1;
          expect(formatRational(odds.calls)).toBe(formatRational(meant.calls));
          expect(formatRational(odds.waitMs)).toBe(formatRational(meant.waitMs));
          expect(formatRational(odds.served)).toBe(formatRational(meant.served));
          const paths = new Set(listLeaves(plan.root).map(({ path }) => path));
          const own = odds.leaves.filter(({ leaf }) => paths.has(leaf.path));
          expect(written(new Map(own.map(({ leaf, answers }) => [leaf.path, answers])))).toEqual(
            written(meant.answers),
          );
          expect(written(new Map(own.map(({ leaf, reached }) => [leaf.path, reached])))).toEqual(
            written(meant.reached),
          );
        },
      ),
      lawRuns,
    );
    expect(exact).toBeGreaterThan(lawRuns.numRuns / 10);
  });

  it('add up to one answer for each kind of request', () => {
    fc.assert(
      fc.property(planParts, ({ root, targets }) => {
        for (const kind of listKinds(root, 8)) {
          const { leaves } = planOdds({ root, targets }, { failures: new Map(), choose: chosenBy(kind) });
          expect(formatRational(leaves.reduce((all, { answers }) => add(all, answers), zero))).toBe('1/1');
        }
      }),
      lawRuns,
    );
  });
});
