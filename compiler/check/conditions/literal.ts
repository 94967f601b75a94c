import type { Json } from '../../../schema/json/json.ts';
import type { Condition, ConditionTest, ElementMatch, ElementPath, FactPath } from '../../../schema/plan/condition.ts';
import { conditionMatcher } from '../../../schema/plan/condition-matcher.ts';

/** A part of a condition that tests one value. */
export type Atom = ConditionTest | ElementMatch;

/** An atom or a negated atom. */
export type Literal = Exclude<Condition, { readonly kind: 'all' | 'any' }>;

/** Returns the place of the value that a literal tests. */
export const readPath = (literal: Literal): FactPath => (literal.kind === 'not' ? literal.of : literal).path;

/** Whether a path equals `outer` or leads to a value inside it. */
export const isWithin = (path: FactPath, outer: FactPath): boolean => outer.every((key, index) => path[index] === key);

/** Whether two literals test the same value. */
export const isSamePlace = (a: Literal, b: Literal): boolean =>
  readPath(a).length === readPath(b).length && isWithin(readPath(a), readPath(b));

/** Whether two literals test the same value, or one tests a value inside that of the other. */
export const isRelated = (a: Literal, b: Literal): boolean =>
  isWithin(readPath(a), readPath(b)) || isWithin(readPath(b), readPath(a));

/** Whether a condition has no parts. */
export const isLiteral = (condition: Condition): condition is Literal =>
  condition.kind !== 'all' && condition.kind !== 'any';

/** Whether a condition tests a value of a place, or a value inside it. */
export const mentions = (condition: Condition, place: FactPath): boolean =>
  isLiteral(condition) ? isWithin(readPath(condition), place) : condition.of.some((part) => mentions(part, place));

const moved = <From extends ElementPath>(condition: Condition<From>, move: (path: From) => FactPath): Condition => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return { kind: condition.kind, of: condition.of.map((part) => moved(part, move)) };
    case 'not':
      return { kind: 'not', of: { ...condition.of, path: move(condition.of.path) } };
    case 'test':
    case 'element':
      return { ...condition, path: move(condition.path) };
  }
};

/**
 * Turns a condition on an element into one on a fact, so that the same logic handles both. The fact may be missing; an element
 * never is.
 */
export const asFact = (condition: Condition<ElementPath>): Condition =>
  moved(condition, (path) => ['params', 'element', ...path]);

/**
 * Builds the test of a value at a place that contains the places of all literals of a condition. `undefined` stands for a missing
 * value.
 */
export const placeMatcher = (place: FactPath, condition: Condition): ((value: Json | undefined) => boolean) => {
  // A pattern on the path of the URL is matched in two ways, so it stays there.
  const isUrl = place[0] === 'url';
  const matches = conditionMatcher(
    isUrl ? condition : moved(condition, (path) => ['params', 'x', ...path.slice(place.length)]),
  );
  return (value) =>
    matches({
      metadata: {},
      params: value === undefined ? {} : { x: value },
      url: { pathname: isUrl && typeof value === 'string' ? value : '' },
    });
};

/** Returns the values that a literal allows, if they can be listed; `undefined` among them stands for a missing value. */
export const allowedValues = (literal: Literal): readonly (Json | undefined)[] | undefined => {
  if (literal.kind !== 'test') return undefined;
  const { op, value } = literal;
  switch (op) {
    case '$eq':
      return [value];
    case '$in':
      return Array.isArray(value) ? value : undefined;
    case '$exists':
      return value === false ? [undefined] : undefined;
    case '$size':
      return value === 0 ? [[]] : undefined;
    default:
      return undefined;
  }
};
