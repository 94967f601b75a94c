import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';

/** The JSON object in a text; undefined if it is none, or nests too deeply. `fromExactJson` may read it. */
export const parsedObject = (text: string, read: typeof fromJson = fromJson): JsonObject | undefined => {
  if (jsonTextError(text) !== undefined) return undefined;
  try {
    const value: unknown = read(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
