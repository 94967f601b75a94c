import { isJsonObject, type Json, type JsonObject } from './json.ts';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Returns the last values that are all lists or all objects, or only the last value if it is neither. */
const lastOfKind = (values: readonly Json[]): readonly Json[] => {
  const isOfKind = [isList, isJsonObject].find((is) => is(values.at(-1) ?? null)) ?? (() => false);
  const other = values.findLastIndex((value) => !isOfKind(value));
  return other === values.length - 1 ? values.slice(-1) : values.slice(other + 1);
};

const joined = (values: readonly Json[]): Json => {
  const last = lastOfKind(values);
  const [first = null] = last;
  if (last.length === 1) return first;
  return isList(first) ? last.filter(isList).flat() : joinJson(last.filter(isJsonObject));
};

/**
 * Joins objects in order: lists are concatenated, objects are joined in the same way, and for all else the last value applies.
 */
export const joinJson = (objects: readonly JsonObject[]): JsonObject => {
  const values = new Map<string, Json[]>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object)) {
      const known = values.get(name);
      if (known === undefined) values.set(name, [value]);
      else known.push(value);
    }
  return Object.fromEntries([...values].map(([name, all]) => [name, joined(all)]));
};
