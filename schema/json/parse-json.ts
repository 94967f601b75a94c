import { fromJson } from './from-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { jsonTextError } from './json-text-error.ts';

/** The parsed value of a JSON text; undefined if it is not JSON, or too large or too deep to parse. */
export const parseJson = (text: string): Json | undefined => {
  if (jsonTextError(text) !== undefined) return undefined;
  try {
    return fromJson(text) as Json;
  } catch {
    return undefined;
  }
};

/** The parsed object of a JSON text; undefined if it is not an object. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
};
