import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

/** Members whose strings are media, which are not counted as text. */
const media = new Set(['data', 'bytes', 'signature']);

/** Counts the characters of all strings in a part of a prompt, without media. The nesting of bodies is limited. */
export const promptSize = (value: Json | undefined): number => {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + promptSize(item), 0);
  if (value === undefined || !isJsonObject(value)) return 0;
  return Object.entries(value).reduce((sum, [name, member]) => (media.has(name) ? sum : sum + promptSize(member)), 0);
};
