import { isJsonObject, type JsonObject } from '../../schema/json.ts';

/** The JSON object that a text or bytes contain; undefined if they contain anything else. */
export const parseObject = (text: string | Uint8Array): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
