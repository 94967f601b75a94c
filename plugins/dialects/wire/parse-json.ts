import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { jsonTextFault } from '../../../schema/json-text-fault.ts';

/** The value a text is the JSON of; undefined where it is none, or too much to be gone through. */
export const parseJson = (text: string): Json | undefined => {
  if (jsonTextFault(text) !== undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** The object a text is the JSON of; undefined where it is none. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
};
