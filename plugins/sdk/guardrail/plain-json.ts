import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';
import { smallCopy } from './small-copy.ts';

/** The maximum length in characters of a verdict's data in a result. */
const maxShown = 65_536;
/** The maximum length in characters of a body that a check returns: the same as the gateway reads of a body. */
const maxBody = 32 * 1024 * 1024;

/**
 * Copies a value from a plugin to plain JSON, so that none of its code runs and nothing changes it later. Returns undefined if
 * the value is too large, or nests deeper than the gateway itself reads. Throws if it cannot be written as JSON.
 */
const copyPlainJson = (value: unknown, max: number): Json | undefined => {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined || text.length > max || jsonTextError(text) !== undefined) return undefined;
  return fromJson(text);
};

/**
 * Returns the data or log of a verdict as JSON, or null if it cannot be written, is too large or nests too deeply. The verdict
 * stays valid.
 */
export const shownData = (data: unknown): Json => {
  if (data === undefined) return null;
  try {
    return smallCopy(data) ?? copyPlainJson(data, maxShown) ?? null;
  } catch {
    return null;
  }
};

/** Returns a body that a check returned. Throws a `TypeError` if it is not a JSON object, is too large, or nests too deeply. */
export const copyBody = (body: unknown): JsonObject => {
  const copied = copyPlainJson(body, maxBody);
  if (!isJsonObject(copied))
    throw new TypeError(
      'The body that the check returned is not a JSON object, is too large, or is nested too deeply.',
    );
  return copied;
};
