import { isJsonObject, type Json, type JsonArray, type JsonObject } from './json.ts';

type Maybe = Json | undefined;

/**
 * Reads JSON from outside: a member with another type than documented counts as absent. A partly readable response of a provider
 * is more useful to the client than an error.
 */
export const findText = (value: Maybe): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Returns a number that can be added up. `1e999` is infinite once it is parsed, and very large numbers become infinite in a sum.
 */
export const findNumber = (value: Maybe): number | undefined =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;

export const findObject = (value: Maybe): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

const isArray = (value: Maybe): value is JsonArray => Array.isArray(value);

const none: readonly JsonObject[] = [];

/** Returns the objects in a list, in order; none if it is not a list. */
export const toObjects = (value: Maybe): readonly JsonObject[] => (isArray(value) ? value.filter(isJsonObject) : none);

export const findItems = (value: Maybe): JsonArray | undefined => (isArray(value) ? value : undefined);

/** Returns the strings in a list, in order; none if it is not a list. */
export const toTexts = (value: Maybe): readonly string[] =>
  isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Returns the members that are strings. */
export const textMembers = (value: Maybe): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(findObject(value) ?? {}).flatMap(([name, member]) =>
      typeof member === 'string' ? [[name, member]] : [],
    ),
  );

/** Omits members that are null. */
export const withoutNulls = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
