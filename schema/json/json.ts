/** Any JSON value, as `JSON.parse` returns it and as plans, configs and request bodies contain it. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A list that cannot be empty: its first item needs no check. */
export type NonEmptyArray<T> = readonly [T, ...T[]];

export const isNonEmpty = <T>(list: readonly T[]): list is NonEmptyArray<T> => list.length > 0;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
