import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';
import { smallCopy } from './small-copy.ts';

/** The most characters of a verdict's data that a result shows. */
const maxShown = 65_536;
/** The most characters of a body that a check gives: as much as the gateway reads of a body. */
const maxBody = 32 * 1024 * 1024;

/**
 * A value of a plugin as plain JSON: a copy, so that nothing of it runs or changes later. Undefined for one that is too large,
 * or nests deeper than what the gateway itself reads. Throws for what is no JSON.
 */
const copyPlainJson = (value: unknown, max: number): Json | undefined => {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined || text.length > max || jsonTextError(text) !== undefined) return undefined;
  return fromJson(text);
};

/** A verdict's data or log as JSON; null if it cannot be written, is too large or too deep: neither invalidates a verdict. */
export const shownData = (data: unknown): Json => {
  if (data === undefined) return null;
  try {
    return smallCopy(data) ?? copyPlainJson(data, maxShown) ?? null;
  } catch {
    return null;
  }
};

/** A body that a check gave. Throws a `TypeError` if it is no JSON object, or too large or too deep. */
export const givenBody = (body: unknown): JsonObject => {
  const copied = copyPlainJson(body, maxBody);
  if (!isJsonObject(copied))
    throw new TypeError('The body that the check gave is no JSON object, or is too large or too deep.');
  return copied;
};
