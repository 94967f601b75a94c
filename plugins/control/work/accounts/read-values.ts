import type { Json } from '../../../../schema/json/json.ts';
import { findNumber, findText } from '../../../../schema/json/loose.ts';

/** Whole seconds since the epoch, of a time as ISO 8601 writes it; null if there is none. */
export const isoSeconds = (value: Json | undefined): number | null => {
  const ms = Date.parse(findText(value) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};

/** Later than any second until the year 5138. */
const firstMs = 1e11;

/** Whole seconds since the epoch, of seconds or of milliseconds, which some services answer; undefined if there are none. */
export const wireSeconds = (value: Json | undefined): number | undefined => {
  const number = findNumber(value);
  if (number === undefined) return undefined;
  return Math.floor(number >= firstMs ? number / 1000 : number);
};

/** A whole number, or a text that is one, as Google writes those of 64 bits; null if it is none. */
export const readInteger = (value: Json | undefined): number | null => {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^-?\d+$/.test(value))) return null;
  const whole = Number(value);
  return Number.isSafeInteger(whole) ? whole : null;
};

/** The end of a name with slashes, such as an ARN or the name of a resource. */
export const lastSegment = (name: Json | undefined): string => findText(name)?.split('/').at(-1) ?? '';
