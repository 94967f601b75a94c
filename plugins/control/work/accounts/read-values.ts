import type { Json } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findNumber, findText } from '../../../../schema/json/loose.ts';

/** Whole seconds since the epoch, of a time as ISO 8601 writes it; null if there is none. */
export const isoSeconds = (value: Json | undefined): number | null => {
  const ms = Date.parse(findText(value) ?? '');
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
};

/** Later than any second until the year 5138. */
const firstMs = 1e11;

/** The farthest from the epoch that a date can be, in seconds. */
const farthest = 8.64e12;

/** Whole seconds since the epoch, of seconds or of milliseconds, which some services answer; undefined if there are none. */
export const wireSeconds = (value: Json | undefined): number | undefined => {
  const number = findNumber(value);
  if (number === undefined) return undefined;
  const seconds = Math.floor(number >= firstMs ? number / 1000 : number);
  return Math.abs(seconds) <= farthest ? seconds : undefined;
};

/** A whole number, or a text that is one, as Google writes those of 64 bits; null if it is none. */
export const readInteger = (value: Json | undefined): number | null => {
  const text = findText(value);
  const number = text !== undefined && /^-?\d{1,16}$/.test(text) ? Number(text) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
};

/** How many there are of a thing; 0 where nothing says it. */
export const readCount = (value: Json | undefined): number => Math.max(readInteger(value) ?? 0, 0);

/** The status of an answer that is not the provider's to this request; `otherwise` for what is no status of HTTP. */
export const readStatus = (value: Json | undefined, otherwise: number): number => {
  const status = readInteger(value) ?? 0;
  return status >= 200 && status <= 599 ? status : otherwise;
};

/** Finds the meaning of a word of a provider; undefined for a word that is not known, and for a value that is no word. */
export const readWord = <Value>(words: Readonly<Record<string, Value>>, value: Json | undefined): Value | undefined =>
  lookUp(words, findText(value) ?? '');

/** The end of a name with slashes, such as an ARN or the name of a resource. */
export const lastSegment = (name: Json | undefined): string => findText(name)?.split('/').at(-1) ?? '';

/** An id as a path can have it, encoded, and a store can keep it: nothing that could be read as another path. */
const usableId = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\s\p{C}]{1,1024}$/u;

/** An id of a provider that requests can name; undefined for all else. */
export const findId = (value: Json | undefined): string | undefined => {
  const text = findText(value);
  return text !== undefined && usableId.test(text) ? text : undefined;
};
