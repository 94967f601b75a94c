import { fromJson } from '../../../../../schema/json/from-json.ts';
import { isJsonObject, type Json } from '../../../../../schema/json/json.ts';

/** A text as both databases keep it: without U+0000 and halves of surrogate pairs. */
export const storedText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();

/** How JSON writes what PostgreSQL cannot keep: U+0000, and halves of surrogate pairs. */
export const unkeepable: RegExp = /\\u(?:0000|d[89a-f])/i;

/** JSON whose texts, the names of members among them, are such as both databases keep. */
const storable = (value: Json): Json => {
  if (typeof value === 'string') return storedText(value);
  if (Array.isArray(value)) return value.map((item: Json) => storable(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storedText(name), storable(member)]));
};

/** A JSON text as both databases keep it, and can read it as JSON. */
export const storableJson = (text: string): string =>
  unkeepable.test(text) ? JSON.stringify(storable(fromJson(text))) : text;

/**
 * A row of a record, all of whose texts both databases keep, in whatever column they are. What is said of requests is no
 * reason to refuse them, so that it is changed where it has to be.
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
