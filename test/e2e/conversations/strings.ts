import { isJsonObject, type Json } from '../../../schema/json/json.ts';

/** All strings of a JSON value in order, including the names of members. */
export const stringsIn = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);
};
