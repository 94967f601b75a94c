import { canonicalJson } from '../../schema/json/canonical.ts';
import type { Json } from '../../schema/json/json.ts';
import type { Condition } from '../../schema/plan/condition.ts';
import { implies } from '../check/conditions/condition-logic.ts';
import { isSamePlace, type Literal, placeMatcher } from '../check/conditions/literal.ts';
import { negateSingle } from '../resolve/conditions/negate.ts';
import { isSameMember } from './literals.ts';

/** Literals that must all hold. */
type Conjunction = readonly Literal[];

/** Longer lists are not simplified, because every pair takes time. */
const maxSimplified = 60;

const keyOf = (literal: Literal): string => canonicalJson(literal);

/** Returns the values that a literal lists: those that it allows, or those that it excludes. */
const listed = (literal: Literal, among: '$in' | '$nin'): readonly Json[] | undefined => {
  if (literal.kind !== 'test') return undefined;
  const { op, value } = literal;
  if (op === (among === '$in' ? '$eq' : '$ne')) return [value];
  return op === among && Array.isArray(value) ? value : undefined;
};

/** Joins two lists of values of one fact. */
const together = (a: Literal, b: Literal, among: '$in' | '$nin'): Literal | undefined => {
  const [own, other] = [listed(a, among), listed(b, among)];
  if (own === undefined || other === undefined || a.kind !== 'test' || !isSamePlace(a, b)) return undefined;
  const values = new Map([...own, ...other].map((value) => [canonicalJson(value), value]));
  return { ...a, op: among, value: [...values.values()] };
};

/** Replaces the first pair of items that can be joined; returns the same list if there is none. */
const withPairJoined = <Item>(
  list: readonly Item[],
  join: (a: Item, b: Item) => Item | undefined,
): readonly Item[] | undefined => {
  for (const [at, a] of list.entries())
    for (const [offset, b] of list.slice(at + 1).entries()) {
      const joined = join(a, b);
      if (joined !== undefined)
        return list.flatMap((item, index) => (index === at ? [joined] : index === at + 1 + offset ? [] : [item]));
    }
  return undefined;
};

const untilStable = <Item>(list: readonly Item[], join: (a: Item, b: Item) => Item | undefined): readonly Item[] => {
  let stable = list;
  for (let next = withPairJoined(stable, join); next !== undefined; next = withPairJoined(stable, join)) stable = next;
  return stable;
};

/** Returns a literal that lists values, without those that another literal of the same fact excludes. */
const narrowed = (literal: Literal, other: Literal): Literal | undefined => {
  const values = listed(literal, '$in');
  if (values === undefined || literal.kind !== 'test' || !isSamePlace(literal, other)) return undefined;
  const left = values.filter(placeMatcher(literal.path, other));
  const [only, ...others] = left;
  return only !== undefined && others.length === 0
    ? { ...literal, op: '$eq', value: only }
    : { ...literal, op: '$in', value: left };
};

const joinLiterals = (a: Literal, b: Literal): Literal | undefined => {
  if (!isSameMember(a, b)) return undefined;
  if (implies(a, b)) return a;
  if (implies(b, a)) return b;
  return narrowed(a, b) ?? narrowed(b, a) ?? together(a, b, '$nin');
};

/**
 * Joins two conjunctions that differ in one literal, if one of these is the opposite of the other or lists other values of the
 * same fact.
 */
const joinConjunctions = (a: Conjunction, b: Conjunction): Conjunction | undefined => {
  const [own, other] = [new Set(a.map(keyOf)), new Set(b.map(keyOf))];
  const [extra, otherExtra] = [a.filter((each) => !other.has(keyOf(each))), b.filter((each) => !own.has(keyOf(each)))];
  if (extra.length === 0) return a;
  if (otherExtra.length === 0) return b;
  const [one, two] = [extra[0], otherExtra[0]];
  if (extra.length > 1 || otherExtra.length > 1 || one === undefined || two === undefined) return undefined;
  const shared = a.filter((each) => other.has(keyOf(each)));
  if (keyOf(negateSingle(one)) === keyOf(two)) return shared;
  const values = together(one, two, '$in');
  return values && [...shared, values];
};

const simplified = (conjunctions: readonly Conjunction[]): readonly Conjunction[] =>
  conjunctions.length > maxSimplified
    ? conjunctions
    : untilStable(
        conjunctions.map((literals) =>
          literals.length > maxSimplified ? literals : untilStable(literals, joinLiterals),
        ),
        joinConjunctions,
      );

const all = (literals: Conjunction): Condition => {
  const [only, ...others] = literals;
  return only !== undefined && others.length === 0 ? only : { kind: 'all', of: literals };
};

/**
 * Returns the disjunction of the conjunctions, as short as is easily found. `others` are those of all other requests, if they are
 * not too many.
 */
export const joinedCondition = (
  conjunctions: readonly Conjunction[],
  others: readonly Conjunction[] | undefined,
): Condition => {
  const own = simplified(conjunctions);
  if (others?.length === 0 || own.some((literals) => literals.length === 0)) return { kind: 'all', of: [] };
  const rest = simplified(others ?? []);
  const [only, ...more] = rest;
  // The negation of the others is shorter if they are a single conjunction.
  if (only !== undefined && more.length === 0 && own.length > 1) {
    const parts = only.map(negateSingle);
    const [part, ...further] = parts;
    return part !== undefined && further.length === 0 ? part : { kind: 'any', of: parts };
  }
  const [first, ...further] = own;
  return first !== undefined && further.length === 0 ? all(first) : { kind: 'any', of: own.map(all) };
};
