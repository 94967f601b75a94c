import type { Json, JsonObject } from '../../../../schema/json/json.ts';

/**
 * Returns parts as content. A single text becomes a string, which every compatible provider accepts, and no parts an empty
 * string.
 */
export const toContent = (parts: readonly JsonObject[]): Json => {
  const [first, ...more] = parts;
  if (first === undefined) return '';
  return more.length === 0 && first.type === 'text' ? (first.text ?? '') : parts;
};
