import type { Json, JsonObject } from '../json/json.ts';
import { compileRegex } from '../text/regex.ts';

/** A fact that a condition can read: a path such as `['metadata', 'tier']`, `['params', 'model']`, `['plan', 'model']`, `['url', 'pathname']`. */
export type FactPath = readonly [root: 'metadata' | 'params' | 'plan' | 'url', ...rest: string[]];

export type Comparison = '$eq' | '$ne' | '$gt' | '$gte' | '$lt' | '$lte' | '$in' | '$nin' | '$regex';

/** A condition with its shorthands expanded; an empty `all` is true, an empty `any` is false. */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'test'; readonly path: FactPath; readonly op: Comparison; readonly value: Json };

/**
 * The facts of one request. `params` is the client's original body, with the `model` and `stream` of its path if that says
 * them; `plan.model` is the name of the config that its model stands for, absent if that is no virtual model.
 */
export interface Facts {
  readonly metadata: JsonObject;
  readonly params: JsonObject;
  readonly plan?: { readonly model: string } | undefined;
  readonly url: { readonly pathname: string };
}

/** The plan feature of conditions on what a virtual model stands for: a gateway that does not know the fact would take it for a missing one. */
export const planFactFeature: string = 'virtual-models';

export type ConditionMatcher = (facts: Facts) => boolean;

const factAt = (facts: Facts, path: FactPath): unknown => {
  // The roots are known and may be getters; what is below them came with the request.
  let value: unknown = facts[path[0]];
  for (let at = 1; at < path.length; at += 1) {
    const key = path[at];
    if (typeof value !== 'object' || value === null || key === undefined || !Object.hasOwn(value, key))
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
};

/** A number, or a numeric string; anything else is not comparable. */
const toNumber = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

const comparison = (op: Comparison, expected: Json): ((actual: unknown) => boolean) => {
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
      return (actual) => Array.isArray(expected) && expected.includes(actual);
    case '$nin':
      return (actual) => Array.isArray(expected) && !expected.includes(actual);
    case '$regex': {
      const matches = compileRegex(String(expected));
      return (actual) => typeof actual === 'string' && matches(actual);
    }
  }
};

/**
 * The condition as a function, built once when a plan is linked. A missing fact makes `$ne` and `$nin` true and all
 * other operators false; equality never coerces; numbers and numeric strings compare as numbers. A pattern on the path is
 * tested with and without the leading `/v1`.
 */
export const conditionMatcher = (condition: Condition): ConditionMatcher => {
  if (condition.kind === 'test') {
    const { path, op, value } = condition;
    const holds = comparison(op, value);
    if (path[0] === 'url' && op === '$regex')
      return ({ url }) => holds(url.pathname) || holds(url.pathname.replace(/^\/v1(?=\/)/, ''));
    return (facts) => holds(factAt(facts, path));
  }
  const parts = condition.of.map(conditionMatcher);
  return condition.kind === 'all'
    ? (facts) => parts.every((part) => part(facts))
    : (facts) => parts.some((part) => part(facts));
};
