import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Replaces the references in a JSON document by what they refer to. No part may contain itself. */
export const resolved = (document: JsonObject): JsonObject => {
  const known = new Map<string, Json>();
  const named = ($ref: string): Json => {
    let value: Json | undefined = document;
    for (const name of $ref.split('/').slice(1)) value = (value as JsonObject | undefined)?.[name];
    if (value === undefined) throw new Error(`${$ref} names nothing.`);
    return inner(value);
  };
  const inner = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inner);
    if (!isJsonObject(value)) return value;
    const { $ref } = value;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]));
    if (!known.has($ref)) known.set($ref, named($ref));
    return known.get($ref) ?? null;
  };
  return inner(document) as JsonObject;
};
