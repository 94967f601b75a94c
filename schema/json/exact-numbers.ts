import { fromJson } from './from-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { colon, comma, isSpace, openBracket } from './json-bytes.ts';
import { JsonReader } from './json-reader.ts';
import { hasSources, sourceOf } from './number-sources.ts';

/** Creates a value that `JSON.stringify` writes as this text: https://github.com/tc39/proposal-json-parse-with-source */
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): JsonObject;
  isRawJSON(value: unknown): boolean;
};

/** Matches a number that JavaScript may round, or its end: it is long or has a long exponent. Names can match too. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/g;

const isOfNumber = (code: number): boolean => (code >= 48 && code <= 57) || code === 46;

/** Whether a number may begin at an offset. This can also be true within a string. */
const mayBegin = (text: string, at: number): boolean => {
  const before = text.charCodeAt(text[at - 1] === '-' ? at - 2 : at - 1);
  return before === openBracket || before === colon || before === comma || isSpace(before);
};

/** Whether a JSON text may have a number that JavaScript rounds, inside of an object or a list. */
export const mayBeRounded = (text: string): boolean => {
  let passed = 0;
  longNumber.lastIndex = 0;
  for (let found = longNumber.exec(text); found !== null; found = longNumber.exec(text)) {
    let at = found.index;
    while (at > passed && isOfNumber(text.charCodeAt(at - 1))) at -= 1;
    // A match that continues the previous one has already been checked from its beginning.
    if (at > passed && mayBegin(text, at)) return true;
    passed = longNumber.lastIndex;
  }
  return false;
};

/** Parses a JSON text like `fromJson`. The original text of numbers that JavaScript rounds is available to `withExactNumbers`. */
export const fromExactJson = (text: string): ReturnType<typeof fromJson> =>
  mayBeRounded(text) ? new JsonReader(text).whole() : fromJson(text);

const hasRounded = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return hasSources(value) || Object.values<Json>(value).some(hasRounded);
};

const exactMember = (holder: object, key: string, value: Json): Json => {
  if (typeof value !== 'number') return withSources(value);
  const source = sourceOf(value, holder, key);
  return source === undefined ? value : rawJSON(source);
};

const withSources = (value: Json): Json => {
  if (isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map((item, at) => exactMember(value, String(at), item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactMember(value, name, member)]));
};

/**
 * Converts a value of `fromExactJson`, or a part of one, so that `JSON.stringify` writes its numbers as they were read: a 64-bit
 * id in a tool's arguments keeps all of its digits. Nothing else may read these numbers, because they are objects.
 */
export const withExactNumbers = <Value extends Json>(value: Value): Value =>
  hasRounded(value) ? (withSources(value) as Value) : value;

/** Returns the JSON text of such a value, or of an object that contains one, with its numbers as they were read. */
export const exactText = (value: Json | object): string => JSON.stringify(withExactNumbers(value as Json));

/**
 * Returns the JSON text of an object that was made from a value of `fromExactJson`. It is searched for rounded numbers only if
 * that value has any.
 */
export const exactTextFrom = (read: object, made: object): string =>
  hasSources(read) ? exactText(made) : JSON.stringify(made);

/** Returns an object's member for `JSON.stringify`, which writes numbers as they were read. */
export const exactlyAt = (holder: JsonObject, name: string): Json | undefined => {
  const value = holder[name];
  return typeof value === 'number'
    ? exactMember(holder, name, value)
    : value === undefined
      ? value
      : withExactNumbers(value);
};

/** Whether a value that may be a number from `withExactNumbers` is a JSON object. */
export const isExactObject = (value: Json): value is JsonObject => isJsonObject(value) && !isRawJSON(value);
