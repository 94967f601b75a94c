import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

/** The value a text is the JSON of; undefined where it is none. */
export const parseJson = (text: string): Json | undefined => {
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
