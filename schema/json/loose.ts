import { isJsonObject, type Json, type JsonArray, type JsonObject } from './json.ts';

type Maybe = Json | undefined;

/**
 * Reads JSON from outside: a member of another type than documented counts as absent. A partly readable answer of a
 * provider is more useful to its client than an error.
 */
export const findText = (value: Maybe): string | undefined => (typeof value === 'string' ? value : undefined);

/** A number that can be counted with: `1e999` is infinite once it is parsed, and larger ones are infinite in a sum. */
export const findNumber = (value: Maybe): number | undefined =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;

export const findObject = (value: Maybe): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

const isArray = (value: Maybe): value is JsonArray => Array.isArray(value);

const none: readonly JsonObject[] = [];

/** The objects of a list, in order; empty if it is not a list. */
export const toObjects = (value: Maybe): readonly JsonObject[] => (isArray(value) ? value.filter(isJsonObject) : none);

export const findItems = (value: Maybe): JsonArray | undefined => (isArray(value) ? value : undefined);

/** The texts of a list, in order; empty if it is not a list. */
export const toTexts = (value: Maybe): readonly string[] =>
  isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The members that are texts. */
export const textMembers = (value: Maybe): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(findObject(value) ?? {}).flatMap(([name, member]) =>
      typeof member === 'string' ? [[name, member]] : [],
    ),
  );

/** Leaves out members that are null. */
export const withoutNulls = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
