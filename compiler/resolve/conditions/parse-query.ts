import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { Comparison, Condition, FactPath } from '../../../schema/plan/condition.ts';
import { closest, suggestion } from '../../diagnostics/closest.ts';
import { requestParameters } from '../../validate/hints/request-parameters.ts';
import { regexHint, regexProblem } from '../../validate/regex-problem.ts';
import { describeExpected, describeFound } from '../../validate/words.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { operandHint, operatorHint } from './operator-hints.ts';
import { reportSlashes } from './report-slashes.ts';

type Operand = 'scalar' | 'number' | 'list' | 'pattern';

const operands: Readonly<Record<Comparison, Operand>> = {
  $eq: 'scalar',
  $ne: 'scalar',
  $gt: 'number',
  $gte: 'number',
  $lt: 'number',
  $lte: 'number',
  $in: 'list',
  $nin: 'list',
  $regex: 'pattern',
};

const operandMessages: Readonly<Record<Operand, string>> = {
  scalar: 'a string, a number, true, false or null',
  number: 'a number',
  list: 'a list of strings and numbers',
  pattern: 'a pattern, which is a string',
};

const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null;

const fits = (kind: Operand, value: Json): boolean => {
  switch (kind) {
    case 'scalar':
      return isScalar(value);
    case 'number':
      return (
        typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
      );
    case 'list':
      return Array.isArray(value) && value.every(isScalar);
    case 'pattern':
      return typeof value === 'string';
  }
};

const isComparison = (text: string): text is Comparison => Object.hasOwn(operands, text);

/** In the order of their names, so that the order of keys in the text means nothing. */
const members = (object: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

const factPath = (text: string): FactPath | undefined => {
  if (text === 'url.pathname') return ['url', 'pathname'];
  if (text === 'plan.model') return ['plan', 'model'];
  const [root, ...rest] = text.split('.');
  const known = root === 'metadata' || root === 'params';
  return known && rest.length > 0 && rest.every((key) => key !== '') ? [root, ...rest] : undefined;
};

/** Suggests the fact that a condition was meant to test instead of `text`. */
const factSuggestion = (text: string): string => {
  if (text.startsWith('$'))
    return /^\$n(?:ot|or)$/i.test(text) ? 'Use "$ne" or "$nin" on the value.' : suggestion(text, ['$and', '$or']);
  if (/^(?:url|path|pathname|request\.path|request\.url)\b/i.test(text))
    return 'Of the URL only "url.pathname" can be tested.';
  if (/^plan\b/i.test(text))
    return 'Of the plan only "plan.model" can be tested: the config that a virtual model stands for.';
  if (/^(?:request\.)?headers?\b/i.test(text))
    return 'Conditions test "metadata.…", "params.…" and "url.pathname"; send the value in x-gw-metadata instead of a header.';
  if (/^(?:metadata|params)\.*$/.test(text)) return `Name a key of it: "${text.replace(/\.*$/, '')}.KEY".`;
  const [, key] = /^(?:request\.)?(?:body|params|request|param|parameters)\.(.+)$/i.exec(text) ?? [];
  if (key !== undefined) return `Write "params.${key}" for a parameter of the request.`;
  const [, item] = /^(?:x-gw-)?meta(?:data)?\.(.+)$/i.exec(text) ?? [];
  if (item !== undefined) return `Write "metadata.${item}".`;
  const [root = '', ...rest] = text.split('.');
  const near = rest.length === 0 ? undefined : closest(root, ['metadata', 'params']);
  if (near !== undefined) return `Did you mean "${near}.${rest.join('.')}"?`;
  return `Write "metadata.${text}" for what callers send in x-gw-metadata, or "params.${text}" for a parameter of the request.`;
};

const join = (kind: 'all' | 'any', of: readonly Condition[]): Condition => {
  const [only, ...more] = of;
  return only !== undefined && more.length === 0 ? only : { kind, of };
};

/** All parts, or nothing where one of them has no meaning. */
const whole = <Part>(parts: readonly (Part | undefined)[]): readonly Part[] | undefined => {
  const sound = parts.filter((part) => part !== undefined);
  return sound.length === parts.length ? sound : undefined;
};

type QueryContext = Pick<CompileContext, 'reporter' | 'patterns'>;

interface Parser {
  query(query: JsonObject, pointer: JsonPointer): Condition | undefined;
}

const parser = ({ reporter, patterns }: QueryContext): Parser => {
  /** Equality does not convert: a string never equals a parameter that is a number or a flag. */
  const reportUnequal = (path: FactPath, value: Json, pointer: JsonPointer): void => {
    const [root, name = '', ...rest] = path;
    if (root !== 'params' || rest.length > 0) return;
    const types = lookUp(requestParameters, name)?.types;
    const isFlag = value === 'true' || value === 'false';
    const isOther = types === undefined ? isFlag : !types.includes('string');
    if (typeof value !== 'string' || !isOther) return;
    const kind = describeExpected(types ?? ['boolean']);
    reporter.report('unequal-type', { pointer, part: 'value' }, { path: path.join('.'), kind });
  };
  const comparison = (path: FactPath, op: string, value: Json, pointer: JsonPointer): Condition | undefined => {
    if (!isComparison(op)) {
      const hint = operatorHint(op, Object.keys(operands));
      reporter.report('unknown-operator', { pointer, part: 'key' }, { operator: op, suggestion: hint });
      return undefined;
    }
    const expected = operandMessages[operands[op]];
    if (!fits(operands[op], value)) {
      reporter.report(
        'wrong-operand',
        { pointer, part: 'value' },
        { operator: op, expected, found: describeFound(value), suggestion: operandHint(op, value, expected) },
      );
      return undefined;
    }
    if (op === '$eq' || op === '$ne') reportUnequal(path, value, pointer);
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) reportUnequal(path, item, childPointer(pointer, index));
    if (op === '$regex' && !patterns.admits(String(value))) {
      reporter.report('patterns-too-large', { pointer, part: 'value' }, {});
      return undefined;
    }
    const why = op === '$regex' ? regexProblem(String(value)) : undefined;
    if (why === undefined) {
      if (op === '$regex') reportSlashes(String(value), { pointer, part: 'value' }, reporter);
      return { kind: 'test', path, op, value };
    }
    reporter.report('invalid-regex', { pointer, part: 'value' }, { why, suggestion: regexHint(String(value), why) });
    return undefined;
  };
  const test = (text: string, value: Json, pointer: JsonPointer): Condition | undefined => {
    const path = factPath(text);
    if (path === undefined) {
      reporter.report('unknown-fact', { pointer, part: 'key' }, { path: text, suggestion: factSuggestion(text) });
      return undefined;
    }
    if (!isJsonObject(value)) return comparison(path, '$eq', value, pointer);
    if (Object.keys(value).length === 0) reporter.report('empty-comparison', { pointer, part: 'key' }, { path: text });
    const parts = members(value).map(([op, operand]) => comparison(path, op, operand, childPointer(pointer, op)));
    const sound = whole(parts);
    return sound === undefined || sound.length === 0 ? undefined : join('all', sound);
  };
  const list = (op: '$and' | '$or', value: Json, pointer: JsonPointer): Condition | undefined => {
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
  const query = (object: JsonObject, pointer: JsonPointer): Condition | undefined => {
    const parts = members(object).map(([key, value]) => {
      const at = childPointer(pointer, key);
      return key === '$and' || key === '$or' ? list(key, value, at) : test(key, value, at);
    });
    const sound = whole(parts);
    return sound === undefined ? undefined : join('all', sound);
  };
  return { query };
};

/** A query with its shorthands written out; nothing where a part of it has no meaning, which is reported. */
export const parseQuery = (query: JsonObject, pointer: JsonPointer, context: QueryContext): Condition | undefined =>
  parser(context).query(query, pointer);
