import type { Json } from '../json/json.ts';
import { compileRegex } from '../text/regex.ts';
import type { Comparison, Condition, ConditionTest, ElementMatch, ElementPath, FactPath, Facts } from './condition.ts';

export type ConditionMatcher = (facts: Facts) => boolean;

type Matches<Subject> = (subject: Subject) => boolean;

/** Returns the value at a path, starting at one of its keys; undefined if it is missing. */
const memberAt = (start: unknown, path: ElementPath, from: number): unknown => {
  let value = start;
  for (let at = from; at < path.length; at += 1) {
    const key = path[at];
    if (typeof value !== 'object' || value === null || key === undefined || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
};

/** The roots are known and may be getters. Everything below them came with the request. */
const factAt = (facts: Facts, path: FactPath): unknown => memberAt(facts[path[0]], path, 1);

/** A number, or a numeric string; anything else is not comparable. */
const toNumber = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

/** The longest list that is searched. Longer lists are looked up by hash. */
const longList = 8;

/** Returns a test of whether a value is in a list. It fails if there is no list. */
const isListed = (expected: Json): Matches<unknown> => {
  if (!Array.isArray(expected)) return () => false;
  if (expected.length <= longList) return (actual) => expected.includes(actual);
  const known = new Set<unknown>(expected);
  return (actual) => known.has(actual);
};

const comparison = (op: Comparison, expected: Json): Matches<unknown> => {
  switch (op) {
    case '$eq':
      return (actual) => actual === expected;
    case '$ne':
      return (actual) => actual !== expected;
    case '$gt':
      return (actual) => toNumber(actual) > toNumber(expected);
    case '$gte':
      return (actual) => toNumber(actual) >= toNumber(expected);
    case '$lt':
      return (actual) => toNumber(actual) < toNumber(expected);
    case '$lte':
      return (actual) => toNumber(actual) <= toNumber(expected);
    case '$in':
      return isListed(expected);
    case '$nin': {
      const isOne = isListed(expected);
      return (actual) => Array.isArray(expected) && !isOne(actual);
    }
    case '$regex': {
      const matches = compileRegex(String(expected));
      return (actual) => typeof actual === 'string' && matches(actual);
    }
    case '$exists':
      return (actual) => (actual !== undefined) === expected;
    case '$all':
      return (actual) =>
        Array.isArray(actual) && Array.isArray(expected) && expected.every((value) => actual.includes(value));
    case '$size':
      return (actual) => Array.isArray(actual) && actual.length === expected;
  }
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const elementMatcher = ({ element, of }: ElementMatch<ElementPath>): Matches<unknown> => {
  const holds = combined<ElementPath, unknown>(of, (part) => {
    const matches = valueMatcher(part);
    return (item) => matches(memberAt(item, part.path, 0));
  });
  const matches: Matches<unknown> = element === 'object' ? (item) => isObject(item) && holds(item) : holds;
  return (actual) => Array.isArray(actual) && actual.some(matches);
};

const valueMatcher = (part: ConditionTest<ElementPath> | ElementMatch<ElementPath>): Matches<unknown> =>
  part.kind === 'test' ? comparison(part.op, part.value) : elementMatcher(part);

/** Returns a condition as a function, given how to read a value of the subject. */
const combined = <Path extends ElementPath, Subject>(
  condition: Condition<Path>,
  looking: (part: ConditionTest<Path> | ElementMatch<Path>) => Matches<Subject>,
): Matches<Subject> => {
  switch (condition.kind) {
    case 'all': {
      const parts = condition.of.map((part) => combined(part, looking));
      return (subject) => parts.every((part) => part(subject));
    }
    case 'any': {
      const parts = condition.of.map((part) => combined(part, looking));
      return (subject) => parts.some((part) => part(subject));
    }
    case 'not': {
      const holds = looking(condition.of);
      return (subject) => !holds(subject);
    }
    case 'test':
    case 'element':
      return looking(condition);
  }
};

/**
 * Returns the condition as a function, built once when a plan is linked. If a fact is missing, `$ne`, `$nin`, `$exists: false`
 * and `$not` of an operator that needs it are true, and all other operators are false. `null` is not missing. Equality never
 * coerces. Numbers and numeric strings compare as numbers. A list equals nothing, and a single value is not a list of one:
 * `$all`, `$size` and `$elemMatch` match only lists. A pattern on the path is tested with and without the leading `/v1`.
 *
 * Everything else follows MongoDB: https://www.mongodb.com/docs/manual/reference/operator/query/
 */
export const conditionMatcher = (condition: Condition): ConditionMatcher =>
  combined<FactPath, Facts>(condition, (part) => {
    const { path } = part;
    const holds = valueMatcher(part);
    if (path[0] === 'url' && part.kind === 'test' && part.op === '$regex')
      return ({ url }) => holds(url.pathname) || holds(url.pathname.replace(/^\/v1(?=\/)/, ''));
    return (facts) => holds(factAt(facts, path));
  });
