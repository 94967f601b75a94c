import { isJsonObject, type Json } from './json.ts';
import { childPointer, type JsonPointer, rootPointer } from './pointer.ts';

/** Returns a JSON value with other values at some of its places. Places that it does not have are ignored. */
export const withValues = (
  value: Json,
  values: ReadonlyMap<JsonPointer, Json>,
  at: JsonPointer = rootPointer,
): Json => {
  const own = values.get(at);
  if (own !== undefined) return own;
  if (Array.isArray(value)) return value.map((item: Json, index) => withValues(item, values, childPointer(at, index)));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withValues(member, values, childPointer(at, name))]),
  );
};
