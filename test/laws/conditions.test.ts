import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { implies, isNever } from '../../compiler/resolve/conditions/condition-logic.ts';
import { conditionMatcher } from '../../schema/plan/condition.ts';
import { condition, facts } from '../support/arbitraries/condition.ts';
import { lawRuns, slowLawMs } from '../support/law-runs.ts';

describe('what is said of conditions', { timeout: slowLawMs }, () => {
  it('is true: one that never holds holds for no request', () => {
    fc.assert(
      fc.property(condition, fc.array(facts, { minLength: 1, maxLength: 20 }), (each, requests) => {
        fc.pre(isNever(each));
        for (const request of requests) expect(conditionMatcher(each)(request)).toBe(false);
      }),
      lawRuns,
    );
  });

  it('is true: where one implies another, that one holds for each request of the first', () => {
    const pair = fc.oneof(
      fc.tuple(condition, condition),
      fc.tuple(condition, condition).map(([a, b]) => [a, { kind: 'any' as const, of: [a, b] }] as const),
      fc.tuple(condition, condition).map(([a, b]) => [{ kind: 'all' as const, of: [a, b] }, b] as const),
    );
    fc.assert(
      fc.property(pair, fc.array(facts, { minLength: 1, maxLength: 20 }), ([a, b], requests) => {
        fc.pre(implies(a, b));
        for (const request of requests)
          if (conditionMatcher(a)(request)) expect(conditionMatcher(b)(request)).toBe(true);
      }),
      lawRuns,
    );
  });
});
