import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json.ts';

/** The JSON object that `bytes` is the text of; undefined where it is none. */
export const jsonObjectOf = (bytes: Uint8Array): JsonObject | undefined => {
  const text = toBuffer(bytes).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // What is no JSON is no object.
  }
  return undefined;
};
