import type { Fix } from '../../schema/errors/fix.ts';
import { type Json, writtenText } from '../../schema/json/json.ts';
import { valueAt } from '../../schema/json/look-up.ts';
import { childPointer, fromPointer, type JsonPointer, joinPointers } from '../../schema/json/pointer.ts';
import { relevantErrors } from '../../schema/json-schema/alternatives.ts';
import { missingNames, namesInWords } from '../../schema/json-schema/missing-names.ts';
import type { ShapeError } from '../../schema/json-schema/shape-error.ts';
import { describeTypes } from '../../schema/json-schema/type-advice.ts';
import { formatCount } from '../../schema/text/format-count.ts';
import { closest, guessName, guessValue } from '../diagnostics/closest.ts';
import type { Place, Reporter } from '../diagnostics/reporter.ts';
import { describeFormat, describePattern } from './form-words.ts';
import { plainKeyHint } from './key-hint.ts';
import { rangeHint } from './range-hint.ts';
import { regexHint, regexProblem } from './regex-problem.ts';
import { readFlag, readPercentage, typeHint } from './type-hint.ts';
import type { KeyHint, UnknownKey } from './unknown-key.ts';
import { valueHint } from './value-hint.ts';
import { describeFound, describePlace } from './words.ts';

export interface ShapeContext {
  /** The value that was validated. */
  readonly value: Json;
  /** The place of the validated value in the document. */
  readonly base: JsonPointer;
  /** Returns where findings about a place of the value are shown, if that is somewhere else. */
  readonly toShownPlace?: (place: Place) => Place;
  readonly reporter: Reporter;
  /** Returns the keys that an object may have, by the schema path of the rule against others. */
  readonly keysAt: (schemaPath: string) => readonly string[];
  /** Suggests what to do about a key that is not allowed; by default that it may be misspelt. */
  readonly keyHint?: (unknown: UnknownKey) => KeyHint;
  /** Hints for values of the wrong type, by pointer, if a setting of configs has the same name. */
  readonly typeHints?: Readonly<Record<string, string>>;
}

/** A place that cannot be used because of an error, and the place that was probably meant. */
export interface Unsound {
  readonly pointer: JsonPointer;
  readonly meant?: JsonPointer;
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];

const describeBound: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '<=': 'at most',
  '>': 'more than',
  '<': 'less than',
};

const sizeUnits: Readonly<Record<string, string>> = {
  minItems: 'item',
  maxItems: 'item',
  minProperties: 'member',
  maxProperties: 'member',
};

/** `minItems: 1` is `at least 1 item`. */
const describeSize = (keyword: string, limit: number): string => {
  const bound = keyword.startsWith('min') ? 'at least' : 'at most';
  return `${bound} ${formatCount(limit, sizeUnits[keyword] ?? 'character')}`;
};

const sizeHints: Readonly<Record<string, string>> = {
  minItems: 'Add an item.',
  maxItems: 'Remove items.',
  minLength: 'Write a longer string.',
  maxLength: 'Write a shorter string.',
  minProperties: 'Add a member.',
  maxProperties: 'Remove members.',
};

const toPlace = ({ instancePath }: ShapeError, { base }: ShapeContext): JsonPointer => joinPointers(base, instancePath);

const reportRegex = (pattern: string, place: Place, reporter: Reporter): void => {
  const why = regexProblem(pattern) ?? 'it cannot be parsed';
  reporter.report('invalid-regex', place, { why, suggestion: regexHint(pattern, why) });
};

/** Whether a place of the document has a value. */
const isThere = (pointer: JsonPointer, { value, base }: ShapeContext): boolean =>
  // A pointer without its beginning is still a pointer.
  valueAt(value, fromPointer(pointer.slice(base.length) as JsonPointer)) !== undefined;

/** Adds a fix to a place, unless the place is shown elsewhere. */
const mending = (place: Place, fix: Fix | undefined): Place =>
  fix?.edits.every((edit) => !('at' in edit) || edit.at === place.pointer) === true ? { ...place, fix } : place;

/** Returns the value that was probably meant by a string that should have another type. */
const meantValue = (value: Json | undefined, types: readonly string[]): boolean | number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (types.includes('boolean')) return readFlag(value);
  const isNumber = types.includes('number') || (types.includes('integer') && /^-?\d+$/.test(value));
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
};

/** Returns the list that contains the target of a weight. */
const groupOf = (tokens: readonly string[], value: Json): Json | undefined =>
  tokens.at(-1) === 'weight' ? valueAt(value, tokens.slice(0, -2)) : undefined;

/** Reports one error in users' words, and returns the place that it makes unusable. */
const reportOne = (error: ShapeError, context: ShapeContext): Unsound => {
  const { reporter, value } = context;
  const pointer = toPlace(error, context);
  const { params } = error;
  // Further findings are not kept, so there is no need to describe them.
  if (reporter.full && reporter.failed)
    return {
      pointer:
        error.keyword === 'additionalProperties' ? childPointer(pointer, String(params.additionalProperty)) : pointer,
    };
  const place = (at: JsonPointer, part: Place['part']): Place =>
    (context.toShownPlace ?? ((same) => same))({ pointer: at, part });
  const what = describePlace(pointer);
  const here = valueAt(value, fromPointer(error.instancePath));
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params.additionalProperty);
      const at = childPointer(pointer, key);
      const { suggestion, meant } = (context.keyHint ?? plainKeyHint)({
        key,
        value: valueAt(value, fromPointer(childPointer(error.instancePath, key))),
        pointer,
        schemaPath: error.schemaPath,
        // A member of an alternative that does not apply is not a key here.
        keys: context.keysAt(error.schemaPath).filter((known) => known !== key),
      });
      const isTaken = meant !== undefined && isThere(meant, context);
      reporter.report('unknown-key', mending(place(at, 'key'), isTaken ? undefined : guessName(at, meant)), {
        key,
        suggestion,
      });
      return meant === undefined ? { pointer: at } : { pointer: at, meant };
    }
    case 'required': {
      reporter.report('missing-key', place(pointer, 'key'), { what, keys: namesInWords(missingNames(error)) });
      return { pointer };
    }
    case 'type': {
      const types = texts(params.type);
      const expected = describeTypes(types);
      const tokens = fromPointer(error.instancePath);
      const group = groupOf(tokens, value);
      const suggestion = context.typeHints?.[pointer] ?? typeHint({ pointer, value: here, types, expected, group });
      const share = tokens.at(-1) === 'weight' ? readPercentage(here, group) : undefined;
      reporter.report(
        'wrong-type',
        mending(place(pointer, 'value'), guessValue(pointer, share ?? meantValue(here, types))),
        {
          what,
          expected,
          found: describeFound(here),
          suggestion,
        },
      );
      return { pointer };
    }
    case 'enum':
    case 'const': {
      const allowed = texts(params.allowedValues ?? params.allowedValue);
      const near = typeof here === 'string' ? closest(here, allowed) : undefined;
      reporter.report('not-in-list', mending(place(pointer, 'value'), guessValue(pointer, near)), {
        what,
        value: typeof here === 'string' ? `"${here}"` : describeFound(here),
        suggestion: valueHint(pointer, writtenText(here ?? null), allowed),
      });
      return { pointer };
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const bound = `${describeBound[String(params.comparison)]} ${params.limit}`;
      const suggestion = rangeHint({ pointer, value: Number(here), bound });
      reporter.report('out-of-range', place(pointer, 'value'), { what, bound, value: Number(here), suggestion });
      return { pointer };
    }
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
    case 'minProperties':
    case 'maxProperties':
      reporter.report('wrong-size', place(pointer, 'value'), {
        what,
        bound: describeSize(error.keyword, Number(params.limit)),
        suggestion: sizeHints[error.keyword] ?? 'Correct its length.',
      });
      return { pointer };
    case 'pattern':
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: describePattern(String(params.pattern)) });
      return { pointer };
    case 'format':
      if (params.format === 'regex') reportRegex(String(here), place(pointer, 'value'), reporter);
      else
        reporter.report('wrong-form', place(pointer, 'value'), { what, form: describeFormat(String(params.format)) });
      return { pointer };
    case 'oneOf':
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: 'in exactly one of the allowed forms' });
      return { pointer };
    default:
      reporter.report('wrong-form', place(pointer, 'value'), { what, form: 'in one of the allowed forms' });
      return { pointer };
  }
};

/** Reports what a generated or compiled validator found, without any of the validator's own words. */
export const reportShape = (errors: readonly ShapeError[], context: ShapeContext): readonly Unsound[] => {
  const reported = relevantErrors(errors);
  const misspelt = reported.filter(({ keyword }) => keyword === 'additionalProperties');
  const listed = new Set(reported.flatMap(({ keyword, instancePath }) => (keyword === 'enum' ? [instancePath] : [])));
  // A value that is not in a list may have the wrong type too; the list is more informative.
  const isSaidByList = ({ keyword, instancePath }: ShapeError): boolean =>
    keyword === 'type' && listed.has(instancePath);
  const others = reported.filter((error) => error.keyword !== 'additionalProperties' && !isSaidByList(error));
  const unsound = misspelt.map((error) => reportOne(error, context));
  const meant = new Set(unsound.map((place) => place.meant));
  // A key that is missing because it was misspelt is a single mistake.
  const isAlreadyReported = (error: ShapeError): boolean => {
    if (error.keyword !== 'required') return false;
    const at = toPlace(error, context);
    return (
      meant.has(at) || missingNames(error).some((names) => names.some((name) => meant.has(childPointer(at, name))))
    );
  };
  const rest = others.map((error) =>
    isAlreadyReported(error) ? { pointer: toPlace(error, context) } : reportOne(error, context),
  );
  return [...unsound, ...rest];
};
