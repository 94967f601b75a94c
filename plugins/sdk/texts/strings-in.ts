import { isJsonObject, type Json } from '../../../schema/json/json.ts';

/** The strings in a JSON value, in the order of its text, including its keys and its other scalars as strings. */
export const stringsIn = (value: Json | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
  return value === undefined || value === null ? [] : [String(value)];
};
