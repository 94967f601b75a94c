import { isUtf8 } from 'node:buffer';
import { exactText } from '../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { parseExactJson } from '../../../schema/json/parse-json.ts';
import { heldKeys, writtenKeys } from './count-keys.ts';

/**
 * Returns bytes that every reader understands as the JSON value that was read from them. These are the same bytes, unless they
 * are not UTF-8, or an object in them repeats a key. In that case they are rewritten.
 */
export const unambiguousBytes = (bytes: Buffer, read: JsonObject): Buffer =>
  isUtf8(bytes) && writtenKeys(bytes) === heldKeys(read) ? bytes : Buffer.from(exactText(read));

/** Does the same for a text that may be JSON. */
export const unambiguousText = (text: string): string => {
  const value: Json | undefined = parseExactJson(text);
  if (typeof value !== 'object' || value === null) return text;
  return writtenKeys(Buffer.from(text)) === heldKeys(value) ? text : exactText(value);
};
