import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { backslash, colon, isSpace, quote } from '../../../schema/json/json-bytes.ts';
import { jsonTextEnd } from '../../../schema/json/json-text-end.ts';

/** Longer texts are searched, which has a higher fixed cost than looking at a few bytes. */
const shortText = 64;

const textEnd = (bytes: Buffer, at: number): number => {
  const far = at + shortText;
  let next = at + 1;
  while (next < far) {
    const byte = bytes[next];
    if (byte === quote) return next;
    next += byte === backslash ? 2 : 1;
  }
  return jsonTextEnd(bytes, next - 1);
};

/** Returns how many keys all objects in a JSON text have together, counting each as often as it is written. */
export const writtenKeys = (bytes: Buffer): number => {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== quote) continue;
    at = textEnd(bytes, at) + 1;
    while (isSpace(bytes[at])) at += 1;
    if (bytes[at] === colon) count += 1;
    else at -= 1;
  }
  return count;
};

/** Returns how many keys all objects in a value have together. */
export const heldKeys = (value: Json | undefined): number => {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (isJsonObject(value)) for (const key in value) count += 1 + heldKeys(value[key]);
  else for (const item of value) count += heldKeys(item);
  return count;
};
