import { isJsonObject, type Json } from '../../../schema/json/json.ts';

/** To one list: each of the nested ones would otherwise be copied at every level. */
const addStrings = (strings: string[], value: Json | undefined): void => {
  if (Array.isArray(value)) for (const item of value) addStrings(strings, item);
  else if (isJsonObject(value))
    for (const [key, inner] of Object.entries(value)) {
      strings.push(key);
      addStrings(strings, inner);
    }
  else if (value !== undefined && value !== null) strings.push(String(value));
};

/** The strings in a JSON value, in the order of its text, including its keys and its other scalars as strings. */
export const stringsIn = (value: Json | undefined): readonly string[] => {
  const strings: string[] = [];
  addStrings(strings, value);
  return strings;
};
