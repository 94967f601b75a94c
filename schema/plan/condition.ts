import type { Json, JsonObject } from '../json/json.ts';

/**
 * A fact that a condition can read: a path such as `['metadata', 'tier']`, `['params', 'model']`, `['plan', 'model']`, `['url',
 * 'pathname']`.
 */
export type FactPath = readonly [root: 'metadata' | 'params' | 'plan' | 'url', ...rest: string[]];

/** A member of an element of a list; the empty path is the element itself. */
export type ElementPath = readonly string[];

/** The operators that compare the value at a path. */
export type Comparison =
  | '$eq'
  | '$ne'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$in'
  | '$nin'
  | '$regex'
  | '$exists'
  | '$all'
  | '$size';

/** A comparison of one value. */
export interface ConditionTest<Path extends ElementPath = FactPath> {
  readonly kind: 'test';
  readonly path: Path;
  readonly op: Comparison;
  readonly value: Json;
}

/** Matches if the value is a list with an element that `of` matches: any element, or one that is an object or a list. */
export interface ElementMatch<Path extends ElementPath = FactPath> {
  readonly kind: 'element';
  readonly path: Path;
  readonly element: 'any' | 'object';
  readonly of: Condition<ElementPath>;
}

/**
 * A condition with its shorthands expanded. An empty `all` is true, and an empty `any` is false. Only a test of a single value is
 * negated, and only if its comparison has no opposite.
 */
export type Condition<Path extends ElementPath = FactPath> =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition<Path>[] }
  | { readonly kind: 'not'; readonly of: ConditionTest<Path> | ElementMatch<Path> }
  | ConditionTest<Path>
  | ElementMatch<Path>;

/**
 * The facts of one request. `params` is the client's original body, with `model` and `stream` from the path if it specifies them.
 * `plan.model` is the name of the config that its model stands for; absent if that is not a virtual model.
 */
export interface Facts {
  readonly metadata: JsonObject;
  readonly params: JsonObject;
  readonly plan?: { readonly model: string } | undefined;
  readonly url: { readonly pathname: string };
}
