import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';

/** Reads the arguments of a call, which libraries return as JSON text or as an object. */
export const readArgs = (args: unknown): JsonObject => {
  const value: unknown = typeof args === 'string' ? JSON.parse(args) : args;
  if (!isJsonObject(value)) throw new Error(`The arguments ${JSON.stringify(args)} are not an object.`);
  return value;
};
