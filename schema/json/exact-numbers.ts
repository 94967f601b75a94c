import { fromJson } from './from-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { JsonReader } from './json-reader.ts';
import { hasSources, sourceOf } from './number-sources.ts';

/** Makes a value that `JSON.stringify` writes as this text: https://github.com/tc39/proposal-json-parse-with-source */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): JsonObject };

/** The look of a number that JavaScript may round. Strings may look so too. */
const longNumber = /\d[\d.]{15}/;

/** Whether a JSON text may have a number that JavaScript rounds. */
export const mayBeRounded = (text: string): boolean => longNumber.test(text);

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
