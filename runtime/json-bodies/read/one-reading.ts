import { isUtf8 } from 'node:buffer';
import { exactText } from '../../../schema/json/exact-numbers.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { parseExactJson } from '../../../schema/json/parse-json.ts';
import { heldKeys, writtenKeys } from './count-keys.ts';

/**
 * Bytes that every reader takes for the JSON value that was read of them: the same, unless they are not in UTF-8, or an
 * object in them has a key twice. They are then written anew.
 */
export const oneReading = (bytes: Buffer, read: JsonObject): Buffer =>
  isUtf8(bytes) && writtenKeys(bytes) === heldKeys(read) ? bytes : Buffer.from(exactText(read));

/** The same of a text that may be JSON. */
export const toOneReading = (text: string): string => {
  const value: Json | undefined = parseExactJson(text);
  if (typeof value !== 'object' || value === null) return text;
  return writtenKeys(Buffer.from(text)) === heldKeys(value) ? text : exactText(value);
};
