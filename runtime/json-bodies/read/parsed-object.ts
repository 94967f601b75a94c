import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';

/** Returns the JSON object in a text. Undefined if it is not one, or nests too deeply. `read` may be `fromExactJson`. */
export const parsedObject = (text: string, read: typeof fromJson = fromJson): JsonObject | undefined => {
  if (jsonTextError(text) !== undefined) return undefined;
  try {
    const value: unknown = read(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
