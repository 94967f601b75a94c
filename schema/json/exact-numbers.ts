import { fromJson } from './from-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { colon, comma, isSpace, openBracket } from './json-bytes.ts';
import { JsonReader } from './json-reader.ts';
import { hasSources, sourceOf } from './number-sources.ts';

/** Makes a value that `JSON.stringify` writes as this text: https://github.com/tc39/proposal-json-parse-with-source */
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): JsonObject;
  isRawJSON(value: unknown): boolean;
};

/** The look of a number that JavaScript may round, or of its end: it is long, or has a long exponent. Names of all kinds may look so too. */
const farNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/g;

const isOfNumber = (code: number): boolean => (code >= 48 && code <= 57) || code === 46;

/** Whether a number may begin at an offset. In a string one may seem to. */
const mayBegin = (text: string, at: number): boolean => {
  const before = text.charCodeAt(text[at - 1] === '-' ? at - 2 : at - 1);
  return before === openBracket || before === colon || before === comma || isSpace(before);
};

/** Whether a JSON text may have a number that JavaScript rounds. One alone is in no object or list. */
export const mayBeRounded = (text: string): boolean => {
  let passed = 0;
  farNumber.lastIndex = 0;
  for (let found = farNumber.exec(text); found !== null; found = farNumber.exec(text)) {
    let at = found.index;
    while (at > passed && isOfNumber(text.charCodeAt(at - 1))) at -= 1;
    // What goes on where the last one ended has been looked at from its beginning.
    if (at > passed && mayBegin(text, at)) return true;
    passed = farNumber.lastIndex;
  }
  return false;
};

/** The value of a JSON text, as `fromJson` gives it. The numbers in it that JavaScript rounds are known to `exactly`. */
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
 * The value of `fromExactJson`, or one inside of it, for `JSON.stringify`, which writes its numbers as they were read: an id of
 * 64 bits in a tool's arguments stays that id. Nothing else may look at these numbers, which are objects then.
 */
export const exactly = <Value extends Json>(value: Value): Value =>
  hasRounded(value) ? (withSources(value) as Value) : value;

/** The JSON text of such a value, or of an object that has one, with its numbers as they were read. */
export const exactText = (value: Json | object): string => JSON.stringify(exactly(value as Json));

/** The JSON text of what was made of a value of `fromExactJson`: only if that has such numbers, all that was made is searched for them. */
export const exactTextFrom = (read: object, made: object): string =>
  hasSources(read) ? exactText(made) : JSON.stringify(made);

/** The value that an object has under a name, for `JSON.stringify`: a number is written as it was read. */
export const exactlyAt = (holder: JsonObject, name: string): Json | undefined => {
  const value = holder[name];
  return typeof value === 'number' ? exactMember(holder, name, value) : value === undefined ? value : exactly(value);
};

/** Whether a value that may be a number of `exactly` is an object of JSON. */
export const isExactObject = (value: Json): value is JsonObject => isJsonObject(value) && !isRawJSON(value);
