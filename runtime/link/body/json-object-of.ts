import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';
import { jsonFault } from './json-fault.ts';

/** The JSON object in `bytes`; undefined if they are not one, or nest too deeply. */
export const jsonObjectOf = (bytes: Uint8Array): JsonObject | undefined => {
  const text = toBuffer(bytes);
  if (jsonFault(text) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // The bytes are not JSON, so there is no object.
  }
  return undefined;
};
