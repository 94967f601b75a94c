import { isJsonObject, type Json } from './json.ts';

/**
 * Returns an object's own member for a name from outside. `constructor` and `toString` are members of every object, although
 * nobody wrote them.
 */
export const lookUp = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the item of a list, or the own member of an object, that a token of a pointer names; undefined if there is none. */
export const childOf = (value: Json, token: string): Json | undefined => {
  if (Array.isArray(value)) return /^\d+$/.test(token) ? value[Number(token)] : undefined;
  return isJsonObject(value) ? lookUp(value, token) : undefined;
};

/** Returns the value at the place that the tokens of a pointer name; undefined if there is none. */
export const valueAt = (value: Json, tokens: readonly string[]): Json | undefined => {
  let at: Json | undefined = value;
  for (const token of tokens) {
    if (at === undefined) return undefined;
    at = childOf(at, token);
  }
  return at;
};
