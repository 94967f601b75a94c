import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { jsonFault } from './json-fault.ts';

/** The JSON object that `bytes` is the text of; undefined where they are another text, or nest too deep to be read. */
export const jsonObjectOf = (bytes: Uint8Array): JsonObject | undefined => {
  const text = toBuffer(bytes);
  if (jsonFault(text) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // Bytes that are not JSON are no object.
  }
  return undefined;
};
