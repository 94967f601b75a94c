import { canonicalJson } from '../../../schema/json/canonical.ts';
import type { Json } from '../../../schema/json/json.ts';
import { type Comparison, type Condition, conditionMatcher } from '../../../schema/plan/condition.ts';

type Test = Extract<Condition, { kind: 'test' }>;

const flat = (conditions: readonly Condition[]): readonly Condition[] =>
  conditions.flatMap((each) => (each.kind === 'all' ? flat(each.of) : [each]));

/** Whether a value at the place of a test meets another test of the same place. */
const meets = (value: Json, { path, op, value: operand }: Test): boolean => {
  // A pattern on the path of the URL is tried in two ways, so it stays there.
  const isUrl = path[0] === 'url';
  const test: Test = { kind: 'test', path: isUrl ? path : ['params', 'x'], op, value: operand };
  return conditionMatcher(test)({
    metadata: {},
    params: { x: value },
    url: { pathname: isUrl && typeof value === 'string' ? value : '' },
  });
};

/** The values that a test allows, where they can be listed. */
const allowed = ({ op, value }: Test): readonly Json[] | undefined => {
  if (op === '$eq') return [value];
  return op === '$in' && Array.isArray(value) ? value : undefined;
};

const isLower = (op: Comparison): boolean => op === '$gt' || op === '$gte';
const isUpper = (op: Comparison): boolean => op === '$lt' || op === '$lte';
const isStrict = (op: Comparison): boolean => op === '$gt' || op === '$lt';

const isEmptyRange = (lower: Test, upper: Test): boolean => {
  const [from, to] = [Number(lower.value), Number(upper.value)];
  return from > to || (from === to && (isStrict(lower.op) || isStrict(upper.op)));
};

/** Whether no value passes all of some tests of one place. */
const contradict = (tests: readonly Test[]): boolean => {
  const listed = tests.map(allowed).find((values) => values !== undefined);
  if (listed !== undefined) return !listed.some((value) => tests.every((test) => meets(value, test)));
  return tests.some(
    (lower) => isLower(lower.op) && tests.some((upper) => isUpper(upper.op) && isEmptyRange(lower, upper)),
  );
};

/** Whether a condition holds for no request. Where that is not easily known, it is taken to hold for some. */
export const isNever = (condition: Condition): boolean => {
  if (condition.kind === 'test') return contradict([condition]);
  if (condition.kind === 'any') return condition.of.every(isNever);
  const parts = flat(condition.of);
  if (parts.some(isNever)) return true;
  const byPath = Map.groupBy(
    parts.filter((part) => part.kind === 'test'),
    ({ path }) => path.join('.'),
  );
  return [...byPath.values()].some(contradict);
};

const testImplies = (a: Test, b: Test): boolean => {
  if (canonicalJson(a.path) !== canonicalJson(b.path)) return false;
  const values = allowed(a);
  if (values !== undefined) return values.every((value) => meets(value, b));
  const [own, other] = [Number(a.value), Number(b.value)];
  const isTighter = isStrict(a.op) || !isStrict(b.op);
  if (isLower(a.op) && isLower(b.op)) return own > other || (own === other && isTighter);
  if (isUpper(a.op) && isUpper(b.op)) return own < other || (own === other && isTighter);
  return false;
};

/** Whether the second condition holds wherever the first does. Where that is not easily known: no. */
export const implies = (a: Condition, b: Condition): boolean => {
  if (canonicalJson(a) === canonicalJson(b)) return true;
  if (a.kind === 'any' && a.of.length > 0) return a.of.every((part) => implies(part, b));
  if (b.kind === 'all') return b.of.every((part) => implies(a, part));
  if (a.kind === 'all' && a.of.some((part) => implies(part, b))) return true;
  if (b.kind === 'any') return b.of.some((part) => implies(a, part));
  return a.kind === 'test' && b.kind === 'test' && testImplies(a, b);
};
