import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextFault } from '../../../schema/json/json-text-fault.ts';

/** The JSON object in a text; undefined if it is none, or nests too deeply. */
export const parsedObject = (text: string): JsonObject | undefined => {
  if (jsonTextFault(text) !== undefined) return undefined;
  try {
    const value: unknown = fromJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
