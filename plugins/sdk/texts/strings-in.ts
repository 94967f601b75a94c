import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { numberText } from '../../../schema/json/number-sources.ts';

/** Adds to one list, because nested lists would be copied at every level. `holder` has the value under the key. */
const addStrings = (strings: string[], value: Json | undefined, holder: object, key: string): void => {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) addStrings(strings, item, value, String(at));
  else if (isJsonObject(value))
    for (const [name, inner] of Object.entries(value)) {
      strings.push(name);
      addStrings(strings, inner, value, name);
    }
  else if (typeof value === 'number') strings.push(numberText(value, holder, key));
  else if (value !== undefined && value !== null) strings.push(String(value));
};

const none = {};

/**
 * Returns the strings in a JSON value, in the order of its text, including its keys, and its other scalars as strings. If a
 * number was rounded by JavaScript and the value was read by `fromExactJson`, the number is returned as it was written.
 */
export const stringsIn = (value: Json | undefined): readonly string[] => {
  const strings: string[] = [];
  addStrings(strings, value, none, '');
  return strings;
};
