import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { lookUp } from './look-up.ts';

const joined = (before: Json | undefined, value: Json): Json => {
  if (isJsonObject(before) && isJsonObject(value)) return joinJson(before, value);
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
};

/** Two objects that say one after the other: lists go on, objects are joined too, and of all else the second counts. */
export const joinJson = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  ...Object.fromEntries(Object.entries(second).map(([name, value]) => [name, joined(lookUp(first, name), value)])),
});
