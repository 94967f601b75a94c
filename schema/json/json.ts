/** Any JSON value, as `JSON.parse` returns it and as plans, configs and request bodies contain it. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
/** A list of JSON values. */
export type JsonArray = readonly Json[];
/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A list that cannot be empty: its first item needs no check. */
export type NonEmptyArray<T> = readonly [T, ...T[]];

export const isNonEmpty = <T>(list: readonly T[]): list is NonEmptyArray<T> => list.length > 0;

/** Whether a value is a list of texts. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Whether a value of JSON is an object, and no list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text as it is, and any other value as its JSON. Unlike `String`, it never calls a `toString` that is a member of the value. */
export const writtenText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
