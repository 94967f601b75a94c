import { isJsonObject, type Json } from '../../../schema/json/json.ts';

/** Returns a value with all of its texts changed, including the names of members. */
export const changedTexts = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => changedTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), changedTexts(item, change)]));
};
