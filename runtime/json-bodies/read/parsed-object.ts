import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';

/** The JSON object in a text; undefined if it is none, or nests too deeply. */
export const parsedObject = (text: string): JsonObject | undefined => {
  if (jsonTextError(text) !== undefined) return undefined;
  try {
    const value: unknown = fromJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
