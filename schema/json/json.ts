/** Any JSON value, as `JSON.parse` returns it and as plans, configs and request bodies contain it. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
/** A list of JSON values. */
export type JsonArray = readonly Json[];
/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A list that cannot be empty, so that its first item needs no check. */
export type NonEmptyArray<T> = readonly [T, ...T[]];

export const isNonEmpty = <T>(list: readonly T[]): list is NonEmptyArray<T> => list.length > 0;

/** Whether a value is a list of strings. */
export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Whether a JSON value is an object and not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a string unchanged, and any other value as JSON. Unlike `String`, it never calls a `toString` member of the value. */
export const writtenText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
