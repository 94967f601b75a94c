import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';

/** Returns a text as both databases can store it: without U+0000 and halves of surrogate pairs. */
export const storedText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();

/** How JSON writes characters that PostgreSQL cannot store: U+0000, and halves of surrogate pairs. */
export const unkeepable: RegExp = /\\u(?:0000|d[89a-f])/i;

/** Returns JSON whose texts, including names of members, both databases can store. */
const storable = (value: Json): Json => {
  if (typeof value === 'string') return storedText(value);
  if (Array.isArray(value)) return value.map((item: Json) => storable(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storedText(name), storable(member)]));
};

/** Returns a JSON text that both databases can store and parse as JSON. */
export const storableJson = (text: string): string =>
  unkeepable.test(text) ? JSON.stringify(storable(fromJson(text))) : text;

/**
 * Returns a row of a record in which both databases can store all texts, whatever their column. A request is not refused because
 * of a text that is only recorded, so the text is changed if necessary.
 */
export const storableRow = <Row extends object>(row: Row, json: readonly (keyof Row & string)[]): Row => {
  const isJson: ReadonlySet<string> = new Set(json);
  const changed: Record<string, string> = {};
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== 'string') continue;
    const text = isJson.has(name) ? storableJson(value) : storedText(value);
    if (text !== value) changed[name] = text;
  }
  return Object.keys(changed).length === 0 ? row : { ...row, ...changed };
};
