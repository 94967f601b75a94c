import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

/** The value at a place; undefined if there is none. */
export const valueAt = (value: Json, [first, ...rest]: readonly string[]): Json | undefined => {
  if (first === undefined) return value;
  if (Array.isArray(value)) {
    const item: Json | undefined = /^\d+$/.test(first) ? value[Number(first)] : undefined;
    return item === undefined ? undefined : valueAt(item, rest);
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  const member = value[first];
  return member === undefined ? undefined : valueAt(member, rest);
};
