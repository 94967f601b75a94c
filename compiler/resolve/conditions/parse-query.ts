import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { Comparison, Condition, ElementPath } from '../../../schema/plan/condition.ts';
import { regexHint, regexProblem } from '../../schema-errors/regex-problem.ts';
import { describeFound } from '../../schema-errors/words.ts';
import { negate } from './negate.ts';
import {
  comparisons,
  describeOperand,
  findWrongItem,
  isComparison,
  isEmpty,
  nestingOperators,
  takes,
} from './operands.ts';
import { itemHint, operandHint, operatorHint } from './operator-hints.ts';
import type { QueryContext } from './query-context.ts';
import { type QueryScope, queryScopes } from './query-scope.ts';
import { reportSlashes } from './report-slashes.ts';

/** Sorted by name, so that the order of keys in the text does not matter. */
const members = (object: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

const join = <Path extends ElementPath>(kind: 'all' | 'any', of: readonly Condition<Path>[]): Condition<Path> => {
  const [only, ...more] = of;
  return only !== undefined && more.length === 0 ? only : { kind, of };
};

/** Returns all parts, or undefined if one of them is invalid. */
const whole = <Part>(parts: readonly (Part | undefined)[]): readonly Part[] | undefined => {
  const sound = parts.filter((part) => part !== undefined);
  return sound.length === parts.length ? sound : undefined;
};

const isJunction = (key: string): key is '$and' | '$or' => key === '$and' || key === '$or';

interface Parser<Path extends ElementPath> {
  query(object: JsonObject, pointer: JsonPointer): Condition<Path> | undefined;
  operators(path: Path, object: JsonObject, pointer: JsonPointer): Condition<Path> | undefined;
}

const describeOperandFound = (value: Json): string =>
  isEmpty(value) ? `an empty ${Array.isArray(value) ? 'list' : 'object'}` : describeFound(value);

/** Reports an operand that its operator does not accept, or an item of one. */
type RefuseOperand = (operator: string, value: Json, pointer: JsonPointer, expected: string) => undefined;

/** Creates the parser for queries whose keys the scope knows; `element` returns the parser for queries within `$elemMatch`. */
const parser = <Path extends ElementPath>(
  scope: QueryScope<Path>,
  element: () => Parser<ElementPath>,
  { reporter, patterns }: QueryContext,
): Parser<Path> => {
  const refuse: RefuseOperand = (operator, value, pointer, expected) => {
    const suggestion = operandHint(operator, value, expected);
    const params = { operator, expected, found: describeOperandFound(value), suggestion };
    reporter.report('wrong-operand', { pointer, part: 'value' }, params);
  };
  const refuseItem: RefuseOperand = (operator, item, pointer, expected) => {
    const params = { operator, expected, found: describeOperandFound(item), suggestion: itemHint(operator) };
    reporter.report('wrong-operand', { pointer, part: 'value' }, params);
  };
  const refuseComparison = (op: Comparison, value: Json, pointer: JsonPointer): undefined => {
    const at = findWrongItem(op, value);
    if (at === undefined || !Array.isArray(value)) return refuse(op, value, pointer, describeOperand(op));
    return refuseItem(op, value[at], childPointer(pointer, at), 'strings and numbers');
  };
  const refusedPattern = (pattern: string, pointer: JsonPointer): boolean => {
    const place = { pointer, part: 'value' } as const;
    if (!patterns.admits(pattern)) {
      reporter.report('patterns-too-large', place, {});
      return true;
    }
    const why = regexProblem(pattern);
    if (why === undefined) reportSlashes(pattern, place, reporter);
    else reporter.report('invalid-regex', place, { why, suggestion: regexHint(pattern, why) });
    return why !== undefined;
  };
  const comparison = (path: Path, op: string, value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    if (!isComparison(op)) {
      const hint = operatorHint(op, [...comparisons, ...nestingOperators]);
      reporter.report('unknown-operator', { pointer, part: 'key' }, { operator: op, suggestion: hint });
      return undefined;
    }
    if (!takes(op, value)) return refuseComparison(op, value, pointer);
    if (!scope.admits({ path, op, value, pointer })) return undefined;
    return op === '$regex' && refusedPattern(String(value), pointer) ? undefined : { kind: 'test', path, op, value };
  };
  const not = (path: Path, value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    if (!isJsonObject(value) || isEmpty(value)) return refuse('$not', value, pointer, 'an object with operators');
    const negated = operators(path, value, pointer);
    return negated === undefined ? undefined : negate(negated);
  };
  const elementMatch = (path: Path, value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    const op = '$elemMatch';
    if (!isJsonObject(value) || isEmpty(value))
      return refuse(op, value, pointer, 'an object with operators, or with members of an element');
    if (!scope.admits({ path, op, value, pointer })) return undefined;
    const keys = Object.keys(value);
    const ofElement = keys.filter((key) => key.startsWith('$') && !isJunction(key));
    if (ofElement.length > 0 && ofElement.length < keys.length) {
      reporter.report('mixed-element-match', { pointer, part: 'value' }, {});
      return undefined;
    }
    const isOfMembers = ofElement.length === 0;
    const of = isOfMembers ? element().query(value, pointer) : element().operators([], value, pointer);
    return of === undefined ? undefined : { kind: 'element', path, element: isOfMembers ? 'object' : 'any', of };
  };
  const operator = (path: Path, op: string, value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    if (op === '$not') return not(path, value, pointer);
    return op === '$elemMatch' ? elementMatch(path, value, pointer) : comparison(path, op, value, pointer);
  };
  const operators = (path: Path, object: JsonObject, pointer: JsonPointer): Condition<Path> | undefined => {
    const parts = members(object).map(([op, operand]) => operator(path, op, operand, childPointer(pointer, op)));
    const sound = whole(parts);
    return sound === undefined || sound.length === 0 ? undefined : join('all', sound);
  };
  const test = (text: string, value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    const path = scope.readPath(text);
    if (path === undefined) {
      reporter.report('unknown-fact', { pointer, part: 'key' }, { path: text, suggestion: scope.suggestPath(text) });
      return undefined;
    }
    scope.reviewPath(path, pointer);
    if (!isJsonObject(value)) return comparison(path, '$eq', value, pointer);
    if (isEmpty(value)) reporter.report('empty-comparison', { pointer, part: 'key' }, { path: text });
    return operators(path, value, pointer);
  };
  const list = (op: '$and' | '$or', value: Json, pointer: JsonPointer): Condition<Path> | undefined => {
    if (!Array.isArray(value)) {
      const suggestion = `Write "${op}": [{ … }, { … }].`;
      const params = { operator: op, expected: 'a list of queries', found: describeFound(value), suggestion };
      reporter.report('wrong-operand', { pointer, part: 'value' }, params);
      return undefined;
    }
    const parts = value.map((item: Json, index) => {
      const at = childPointer(pointer, index);
      if (isJsonObject(item)) return query(item, at);
      const suggestion = 'Write each query as an object.';
      const params = { operator: op, expected: 'queries, which are objects', found: describeFound(item), suggestion };
      reporter.report('wrong-operand', { pointer: at, part: 'value' }, params);
      return undefined;
    });
    const sound = whole(parts);
    return sound === undefined ? undefined : join(op === '$and' ? 'all' : 'any', sound);
  };
  const query = (object: JsonObject, pointer: JsonPointer): Condition<Path> | undefined => {
    const parts = members(object).map(([key, value]) => {
      const at = childPointer(pointer, key);
      return isJunction(key) ? list(key, value, at) : test(key, value, at);
    });
    const sound = whole(parts);
    return sound === undefined ? undefined : join('all', sound);
  };
  return { query, operators };
};

/** Parses a query and writes out its shorthands. Reports invalid parts, and then returns undefined. */
export const parseQuery = (query: JsonObject, pointer: JsonPointer, context: QueryContext): Condition | undefined => {
  const { facts, element } = queryScopes(context);
  const elements: Parser<ElementPath> = parser(element, () => elements, context);
  return parser(facts, () => elements, context).query(query, pointer);
};
