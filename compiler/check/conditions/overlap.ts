import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Condition, ConditionTest } from '../../../schema/plan/condition.ts';
import { isSamePlace, placeMatcher, readPath } from './literal.ts';

const positive: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);

/** Returns the tests that a condition joins by "and", if all that it specifies is the values of one place. */
const readTests = (condition: Condition): readonly ConditionTest[] | undefined => {
  const parts = condition.kind === 'all' ? condition.of : [condition];
  const tests = parts.filter((part) => part.kind === 'test' && positive.has(part.op)) as readonly ConditionTest[];
  const [first] = tests;
  if (first === undefined || tests.length < parts.length) return undefined;
  return tests.every((test) => isSamePlace(first, test)) ? tests : undefined;
};

const boundsOf = (tests: readonly ConditionTest[]): readonly number[] =>
  tests.flatMap(({ op, value }) => (op.startsWith('$g') || op.startsWith('$l') ? Number(value) : []));

const valuesOf = (tests: readonly ConditionTest[]): readonly Json[] =>
  tests.flatMap(({ op, value }): readonly Json[] =>
    op === '$eq' ? [value] : op === '$in' && Array.isArray(value) ? value : [],
  );

/** Values between and beyond the bounds; whole numbers where there is one. */
const between = (bounds: readonly number[]): readonly number[] => {
  const sorted = [...new Set(bounds)].sort((a, b) => a - b);
  return sorted.slice(1).map((upper, index) => {
    const lower = sorted[index] ?? upper;
    const middle = (lower + upper) / 2;
    return Math.floor(middle) > lower ? Math.floor(middle) : middle;
  });
};

/** An overlap of two conditions: a place, and a value there that matches both. */
export interface Overlap {
  readonly path: string;
  readonly value: string;
}

/**
 * Finds a value that matches two conditions on the same place, each with listed values or bounds. A value that is only the bound
 * of both does not count, because the condition that comes first is meant to have it.
 */
export const findOverlap = (a: Condition, b: Condition): Overlap | undefined => {
  const [one, other] = [readTests(a), readTests(b)];
  const [first, second] = [one?.[0], other?.[0]];
  if (one === undefined || other === undefined || first === undefined || second === undefined) return undefined;
  if (!isSamePlace(first, second)) return undefined;
  // A value that passes a list is one of its elements, so one list is enough.
  const listed = [valuesOf(one), valuesOf(other)].find((values) => values.length > 0);
  const candidates = listed ?? between(boundsOf([...one, ...other]));
  const matches = placeMatcher(first.path, { kind: 'all', of: [...one, ...other] });
  const value = candidates.find(matches);
  return value === undefined ? undefined : { path: readPath(first).join('.'), value: canonicalJson(value) };
};
