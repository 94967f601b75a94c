import type { Json } from '../../../schema/json/json.ts';
import type { Condition, ConditionTest, ElementMatch, ElementPath, FactPath } from '../../../schema/plan/condition.ts';
import { conditionMatcher } from '../../../schema/plan/condition-matcher.ts';

/** A part of a condition that looks at one value. */
export type Atom = ConditionTest | ElementMatch;

/** An atom, or one that is negated. */
export type Literal = Exclude<Condition, { readonly kind: 'all' | 'any' }>;

/** The place of the value that a literal looks at. */
export const readPath = (literal: Literal): FactPath => (literal.kind === 'not' ? literal.of : literal).path;

/** Whether a path is another one, or leads to a value within that one's. */
export const isWithin = (path: FactPath, outer: FactPath): boolean => outer.every((key, index) => path[index] === key);

/** Whether two literals look at the same value. */
export const isSamePlace = (a: Literal, b: Literal): boolean =>
  readPath(a).length === readPath(b).length && isWithin(readPath(a), readPath(b));

/** Whether two literals look at the same value, or one at a value within that of the other. */
export const isRelated = (a: Literal, b: Literal): boolean =>
  isWithin(readPath(a), readPath(b)) || isWithin(readPath(b), readPath(a));

/** Whether a condition is a part that has no parts. */
export const isLiteral = (condition: Condition): condition is Literal =>
  condition.kind !== 'all' && condition.kind !== 'any';

/** Whether a condition looks at a value of a place, or within it. */
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

/** A condition on an element as one on a fact, so that one logic does for both. The fact may be missing, an element is not. */
export const asFact = (condition: Condition<ElementPath>): Condition =>
  moved(condition, (path) => ['params', 'element', ...path]);

/** Makes the test of a value at a place that all literals of a condition are within; undefined is for none. */
export const placeMatcher = (place: FactPath, condition: Condition): ((value: Json | undefined) => boolean) => {
  // A pattern on the path of the URL is tried in two ways, so it stays there.
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

/** The values that a literal allows, where they can be listed; undefined stands for a missing one. */
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
