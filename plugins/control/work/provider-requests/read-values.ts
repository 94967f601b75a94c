import type { Json } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findNumber, findText } from '../../../../schema/json/loose.ts';

/** Converts an ISO 8601 time to whole seconds since the epoch; null if it is not one. */
export const isoSeconds = (value: Json | undefined): number | null => {
  const ms = Date.parse(findText(value) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};

/** Larger than any time in seconds until the year 5138. */
const firstMs = 1e11;

/** The latest time that a `Date` can hold, in seconds. */
const farthest = 8.64e12;

/**
 * Converts seconds, or milliseconds, which some services return, to whole seconds since the epoch; undefined if the value is
 * neither.
 */
export const toEpochSeconds = (value: Json | undefined): number | undefined => {
  const number = findNumber(value);
  if (number === undefined) return undefined;
  const seconds = Math.floor(number >= firstMs ? number / 1000 : number);
  return Math.abs(seconds) <= farthest ? seconds : undefined;
};

/** Reads an integer, or a text with an integer, which is how Google writes 64-bit numbers; null if it is neither. */
export const readInteger = (value: Json | undefined): number | null => {
  const text = findText(value);
  const number = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

/** Reads a count; 0 if it is absent. */
export const readCount = (value: Json | undefined): number => Math.max(readInteger(value) ?? 0, 0);

/** Reads an HTTP status that is stored in a body; returns `otherwise` if the value is not one. */
export const readStatus = (value: Json | undefined, otherwise: number): number => {
  const status = readInteger(value) ?? 0;
  return status >= 200 && status <= 599 ? status : otherwise;
};

/** Looks up a provider's word; undefined if the word is unknown or the value is not a text. */
export const readWord = <Value>(words: Readonly<Record<string, Value>>, value: Json | undefined): Value | undefined =>
  lookUp(words, findText(value) ?? '');

/** Returns the last segment of a name with slashes, such as an ARN or a resource name. */
export const lastSegment = (name: Json | undefined): string => findText(name)?.split('/').at(-1) ?? '';

/** An id that can be encoded into a path and stored. Nothing matches that a server could read as another path. */
const usableId = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\s\p{C}]{1,1024}$/u;

/** Reads a provider id that requests can name; undefined for any other value. */
export const findId = (value: Json | undefined): string | undefined => {
  const text = findText(value);
  return text !== undefined && usableId.test(text) ? text : undefined;
};
