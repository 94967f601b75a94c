import { fromExactJson } from './exact-numbers.ts';
import { fromJson } from './from-json.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { jsonTextError } from './json-text-error.ts';

const parsed = (text: string, read: typeof fromJson): Json | undefined => {
  if (jsonTextError(text) !== undefined) return undefined;
  try {
    return read(text) as Json;
  } catch {
    return undefined;
  }
};

/** Parses a JSON text; undefined if it is not JSON, or too large or too deep to parse. */
export const parseJson = (text: string): Json | undefined => parsed(text, fromJson);

/** The same, but `withExactNumbers` can restore its numbers as they were written. */
export const parseExactJson = (text: string): Json | undefined => parsed(text, fromExactJson);

/** Parses a JSON text as an object; undefined if it is not an object. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
};

/** The same, but `withExactNumbers` can restore its numbers as they were written. */
export const parseExactObject = (text: string): JsonObject | undefined => {
  const value = parseExactJson(text);
  return isJsonObject(value) ? value : undefined;
};
