import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { implies } from '../../compiler/check/conditions/condition-logic.ts';
import { isAlways, isCovered, isNever } from '../../compiler/check/conditions/may-hold.ts';
import { findOverlap } from '../../compiler/check/conditions/overlap.ts';
import { compile, compileUnrewritten } from '../../compiler/compile.ts';
import { createReporter } from '../../compiler/diagnostics/reporter.ts';
import { constantCondition } from '../../compiler/optimise/constant-condition.ts';
import { negate } from '../../compiler/resolve/conditions/negate.ts';
import { parseQuery } from '../../compiler/resolve/conditions/parse-query.ts';
import { listBudget } from '../../compiler/resolve/context/list-budget.ts';
import { patternBudget } from '../../compiler/resolve/context/pattern-budget.ts';
import { nothingSaved } from '../../schema/config/saved.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import type { Condition, Facts } from '../../schema/plan/condition.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { alikeTests, condition, facts, listConditions } from '../support/arbitraries/condition.ts';
import { query } from '../support/arbitraries/query.ts';
import { scriptedCatalogue } from '../support/arbitraries/scripted-catalogue.ts';
import { holds } from '../support/denote/holds.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const requests = fc.array(facts, { minLength: 1, maxLength: 20 });

const parsed = (source: JsonObject): Condition => {
  const reporter = createReporter({ readSpan: () => ({ offset: 0, length: 0, line: 1, column: 1 }) });
  const context = {
    reporter,
    patterns: patternBudget('operator'),
    lists: listBudget('operator'),
    trust: 'operator',
    catalogue: scriptedCatalogue,
    saved: nothingSaved,
  } as const;
  const found = parseQuery(source, rootPointer, context);
  if (found === undefined) throw new Error(JSON.stringify(reporter.diagnostics()));
  return found;
};

/** A condition, or several combined in one list, which affect each other. */
const joined: fc.Arbitrary<Condition> = fc.oneof(
  condition,
  listConditions.map((of) => ({ kind: 'all' as const, of })),
);

describe('a condition', { timeout: slowLawMs }, () => {
  it('matches exactly the requests that its query matches', () => {
    fc.assert(
      fc.property(query, requests, (source, asked) => {
        const matches = conditionMatcher(parsed(source));
        for (const request of asked) expect(matches(request)).toBe(holds(source, request));
      }),
      dearLawRuns,
    );
  });

  it('matches exactly the requests that its negation does not match, and its triple negation is its negation', () => {
    fc.assert(
      fc.property(joined, requests, (each, asked) => {
        const [matches, not] = [conditionMatcher(each), conditionMatcher(negate(each))];
        for (const request of asked) expect(not(request)).toBe(!matches(request));
        const twice = negate(each);
        expect(negate(negate(twice))).toEqual(twice);
      }),
      dearLawRuns,
    );
  });

  it('selects its branch if its query is the first to match, in the plan before and after it is rewritten', () => {
    const chosen = ({ root }: RoutingPlan, request: Facts): string => {
      if (root.kind !== 'conditional') return root.path;
      const branch = root.cases.find(({ when }) => conditionMatcher(when)(request))?.branch ?? root.otherwise;
      return root.branches[branch]?.path ?? '';
    };
    fc.assert(
      fc.property(fc.array(query, { minLength: 1, maxLength: 3 }), requests, (queries, asked) => {
        const source = JSON.stringify({
          strategy: {
            mode: 'conditional',
            conditions: queries.map((each, index) => ({ query: each, then: `t${index}` })),
            default: 'other',
          },
          targets: ['t0', 't1', 't2', 'other'].map((name) => ({ name, provider: 'scripted' })),
        });
        const options = { trust: 'operator', catalogue: scriptedCatalogue } as const;
        const plans = [compile(source, options).plan, compileUnrewritten(source, options).plan];
        for (const request of asked) {
          const first = queries.findIndex((each) => holds(each, request));
          for (const plan of plans) expect(plan && chosen(plan, request)).toBe(`/targets/${first === -1 ? 3 : first}`);
        }
      }),
      dearLawRuns,
    );
  });
});

describe('the analysis of conditions', { timeout: slowLawMs }, () => {
  it('reports that a condition never matches only if it matches no request', () => {
    fc.assert(
      fc.property(joined, requests, (each, asked) => {
        fc.pre(isNever(each));
        for (const request of asked) expect(conditionMatcher(each)(request)).toBe(false);
      }),
      dearLawRuns,
    );
  });

  it('reports that a condition is constant only if every request gets that result', () => {
    fc.assert(
      fc.property(condition, requests, (each, asked) => {
        const constant = constantCondition(each);
        fc.pre(constant !== undefined);
        for (const request of asked) expect(conditionMatcher(each)(request)).toBe(constant);
      }),
      dearLawRuns,
    );
  });

  it('reports that a condition implies another only if the other matches every request that it matches', () => {
    const pair = fc.oneof(
      fc.tuple(condition, condition),
      alikeTests,
      alikeTests.map(([a, b]) => [negate(a), negate(b)] as const),
      listConditions.map(([a = never, ...rest]) => [a, { kind: 'any' as const, of: rest }] as const),
      fc.tuple(condition, condition).map(([a, b]) => [a, { kind: 'any' as const, of: [a, b] }] as const),
      fc.tuple(condition, condition).map(([a, b]) => [{ kind: 'all' as const, of: [a, b] }, b] as const),
    );
    fc.assert(
      fc.property(pair, requests, ([a, b], asked) => {
        fc.pre(implies(a, b));
        for (const request of asked) if (conditionMatcher(a)(request)) expect(conditionMatcher(b)(request)).toBe(true);
      }),
      dearLawRuns,
    );
  });
});

describe('the analysis of several conditions', { timeout: slowLawMs }, () => {
  const several = fc.array(condition, { minLength: 1, maxLength: 4 });

  it('reports that a condition always matches only if it matches every request', () => {
    const either = fc.tuple(condition, condition).map(([a, b]): Condition => ({ kind: 'any', of: [a, b, negate(a)] }));
    fc.assert(
      fc.property(fc.oneof(condition, either), requests, (each, asked) => {
        fc.pre(isAlways(each));
        for (const request of asked) expect(conditionMatcher(each)(request)).toBe(true);
      }),
      dearLawRuns,
    );
  });

  it('recognises that a condition or its negation always matches', () => {
    fc.assert(
      fc.property(condition, (each) => {
        expect(isAlways({ kind: 'any', of: [each, negate(each)] }, { premises: [], effort: { left: 40_000 } })).toBe(
          true,
        );
      }),
      dearLawRuns,
    );
  });

  it('reports that a condition is covered by others only if one of them matches each request that it matches', () => {
    fc.assert(
      fc.property(condition, several, requests, (each, others, asked) => {
        fc.pre(isCovered(each, others));
        for (const request of asked)
          if (conditionMatcher(each)(request)) expect(others.some((one) => conditionMatcher(one)(request))).toBe(true);
      }),
      dearLawRuns,
    );
  });

  it('reports an overlap of two conditions only with a value that both match', () => {
    fc.assert(
      fc.property(alikeRanges, ([a, b]) => {
        const overlap = findOverlap(a, b);
        fc.pre(overlap !== undefined);
        const request: Facts = {
          metadata: {},
          params: { n: JSON.parse(overlap?.value ?? '') },
          url: { pathname: '/v1/chat/completions' },
        };
        expect([a, b].map((each) => conditionMatcher(each)(request))).toEqual([true, true]);
      }),
      dearLawRuns,
    );
  });

  it('reports a condition as unreachable only if it never matches first, and as constant only if it always matches', () => {
    fc.assert(
      fc.property(fc.array(query, { minLength: 2, maxLength: 4 }), requests, (queries, asked) => {
        const { diagnostics } = compile(
          JSON.stringify({
            strategy: {
              mode: 'conditional',
              conditions: queries.map((each, index) => ({ query: each, then: `t${index}` })),
              default: 't0',
            },
            targets: queries.map((_, index) => ({ name: `t${index}`, provider: 'scripted' })),
          }),
          { trust: 'operator', catalogue: scriptedCatalogue },
        );
        const listReported = (code: string): readonly number[] =>
          diagnostics.flatMap((each) => (each.code === code ? Number(each.pointer.split('/')[3]) : []));
        const unreachable = listReported('unreachable-condition');
        const [always] = listReported('constant-condition');
        fc.pre(unreachable.length > 0 || always !== undefined);
        for (const request of asked) {
          const first = queries.findIndex((each) => holds(each, request));
          expect(unreachable).not.toContain(first);
          if (always !== undefined) expect(holds(queries[always] ?? {}, request)).toBe(true);
        }
      }),
      dearLawRuns,
    );
  });

  it('finishes if conditions have thousands of alternatives', () => {
    const choice = (index: number): Condition => ({
      kind: 'any',
      of: ['a', 'b', 'c'].map((value) => ({ kind: 'test', path: ['metadata', `k${index}`], op: '$eq', value })),
    });
    const all: Condition = { kind: 'all', of: Array.from({ length: 5000 }, (_, index) => choice(index)) };
    expect(isNever(all)).toBe(false);
    expect(isNever({ kind: 'all', of: [all, all, { kind: 'any', of: [] }] })).toBe(true);
  });
});

const range = fc
  .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq'), fc.integer({ min: 0, max: 4 }))
  .map(([op, value]): Condition => ({ kind: 'test', path: ['params', 'n'], op, value }));
const alikeRanges = fc.tuple(
  range,
  fc.tuple(range, range).map((of): Condition => ({ kind: 'all', of })),
);

const never: Condition = { kind: 'any', of: [] };
