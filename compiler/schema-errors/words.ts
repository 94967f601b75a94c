import type { Json } from '../../schema/json/json.ts';
import { fromPointer, type JsonPointer } from '../../schema/json/pointer.ts';

/** Describes the kind of value that was found; never the value itself, which may be a secret. */
export const describeFound = (value: Json | undefined): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
  return typeof value === 'string' ? 'a string' : 'an object';
};

/** Names a place, for the beginning of a sentence. */
export const describePlace = (pointer: JsonPointer): string => {
  const tokens = fromPointer(pointer);
  const last = tokens.at(-1);
  if (last === undefined) return 'The config';
  const list = tokens.at(-2);
  return /^\d+$/.test(last) && list !== undefined ? `Item ${Number(last) + 1} of "${list}"` : `"${last}"`;
};
