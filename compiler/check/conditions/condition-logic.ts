import { isSameJson } from '../../../schema/json/is-same-json.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Comparison, Condition, ConditionTest, ElementMatch } from '../../../schema/plan/condition.ts';
import {
  type Atom,
  allowedValues,
  asFact,
  isLiteral,
  isSamePlace,
  isWithin,
  type Literal,
  placeMatcher,
  readPath,
} from './literal.ts';

const isLower = (op: Comparison): boolean => op === '$gt' || op === '$gte';
const isUpper = (op: Comparison): boolean => op === '$lt' || op === '$lte';
const isStrict = (op: Comparison): boolean => op === '$gt' || op === '$lt';

const isEmptyRange = (lower: ConditionTest, upper: ConditionTest): boolean => {
  const [from, to] = [Number(lower.value), Number(upper.value)];
  return from > to || (from === to && (isStrict(lower.op) || isStrict(upper.op)));
};

/** Whether an atom can hold only for lists. */
const needsList = (atom: Atom): boolean => atom.kind === 'element' || atom.op === '$all' || atom.op === '$size';

/** Whether an atom can hold only for texts and numbers. */
const needsSingle = (atom: Atom): boolean =>
  atom.kind === 'test' && (isLower(atom.op) || isUpper(atom.op) || atom.op === '$regex');

const isListed = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The values that a list must contain to pass `$all`. */
const contained = ({ op, value }: ConditionTest): readonly Json[] => (op === '$all' && isListed(value) ? value : []);

const isTooShort = (size: ConditionTest, other: ConditionTest): boolean =>
  size.op === '$size' &&
  (other.op === '$size' ? other.value !== size.value : new Set(contained(other)).size > Number(size.value));

/** Whether no value passes both tests, judged by their operators and operands. */
const areOpposed = (a: ConditionTest, b: ConditionTest): boolean =>
  (isLower(a.op) && isUpper(b.op) && isEmptyRange(a, b)) || isTooShort(a, b);

/** Whether no value passes both of two atoms of the same place. */
const excludes = (a: Atom, b: Atom): boolean => {
  const listed = allowedValues(a);
  if (listed !== undefined) return !listed.some(placeMatcher(a.path, b));
  if (needsList(a) && needsSingle(b)) return true;
  return a.kind === 'test' && b.kind === 'test' && areOpposed(a, b);
};

/** Whether no value passes both of two literals. */
const areContrary = (a: Literal, b: Literal): boolean => {
  if (a.kind === 'not' || !isSamePlace(a, b)) return false;
  return b.kind === 'not' ? atomImplies(a, b.of) : excludes(a, b);
};

const rangeImplies = (a: ConditionTest, b: ConditionTest): boolean => {
  const [own, other] = [Number(a.value), Number(b.value)];
  const isTighter = isStrict(a.op) || !isStrict(b.op);
  if (isLower(a.op) && isLower(b.op)) return own > other || (own === other && isTighter);
  if (isUpper(a.op) && isUpper(b.op)) return own < other || (own === other && isTighter);
  return false;
};

const containsAll = (a: ConditionTest, b: ConditionTest): boolean => {
  const values = contained(b);
  return values.length > 0 && values.every((value) => contained(a).includes(value));
};

const matchesContained = (a: ConditionTest, { of }: ElementMatch): boolean => {
  const each = asFact(of);
  return contained(a).some(placeMatcher(['params', 'element'], each));
};

/** Whether an atom implies another atom of the same place. */
const atomImplies = (a: Atom, b: Atom): boolean => {
  if (isSameJson(a, b)) return true;
  const listed = allowedValues(a);
  if (listed !== undefined) return listed.every(placeMatcher(a.path, b));
  if (a.kind === 'test')
    return b.kind === 'test' ? rangeImplies(a, b) || containsAll(a, b) : b.element === 'any' && matchesContained(a, b);
  return b.kind === 'element' && a.element === b.element && implies(asFact(a.of), asFact(b.of));
};

const literalImplies = (a: Literal, b: Literal): boolean => {
  const [place, other] = [readPath(a), readPath(b)];
  const listed = allowedValues(a);
  if (listed !== undefined && isWithin(other, place)) return listed.every(placeMatcher(place, b));
  // A value that must exist for this atom to hold is inside values that must exist too.
  if (b.kind === 'test' && b.op === '$exists' && b.value === true)
    return isWithin(place, other) && !placeMatcher(place, a)(undefined);
  if (!isSamePlace(a, b)) return false;
  if (a.kind === 'not') return b.kind === 'not' && atomImplies(b.of, a.of);
  return b.kind === 'not' ? excludes(a, b.of) || excludes(b.of, a) : atomImplies(a, b);
};

/** Whether the second condition holds whenever the first does. False if that is hard to decide. */
export const implies = (a: Condition, b: Condition): boolean => {
  if (isSameJson(a, b)) return true;
  if (a.kind === 'any' && a.of.length > 0) return a.of.every((part) => implies(part, b));
  if (b.kind === 'all') return b.of.every((part) => implies(a, part));
  if (a.kind === 'all' && a.of.some((part) => implies(part, b))) return true;
  if (b.kind === 'any') return b.of.some((part) => implies(a, part));
  return isLiteral(a) && isLiteral(b) && literalImplies(a, b);
};

/** Whether no request passes all of the literals. False if that is hard to decide. */
export const contradict = (literals: readonly Literal[]): boolean =>
  literals.some((literal) => {
    const listed = allowedValues(literal);
    if (listed === undefined) return literals.some((other) => areContrary(literal, other));
    const place = readPath(literal);
    const within = literals.filter((other) => isWithin(readPath(other), place));
    const matchers = within.map((other) => placeMatcher(place, other));
    return !listed.some((value) => matchers.every((matches) => matches(value)));
  });
