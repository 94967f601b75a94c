import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

type Maybe = Json | undefined;

/** A member of any type but an object counts as an object without members. */
export const objectAt = (value: Maybe): JsonObject => (isJsonObject(value) ? value : {});

/** The objects of a list; none if it is no list. */
export const objectsAt = (value: Maybe): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item: Json) => isJsonObject(item)) : [];

/** The first of some values that is a text. */
export const firstText = (...values: readonly Maybe[]): string | undefined =>
  values.find((value) => typeof value === 'string');
