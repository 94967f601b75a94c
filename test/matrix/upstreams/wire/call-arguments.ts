import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { refusal } from './refusal.ts';

/** Parses the arguments of an earlier call from their JSON text. */
export const callArguments = (text: string, at: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Rejected below.
  }
  throw refusal(at, 'is not the JSON text of an object.');
};
