import { malformed } from '../../../plugins/sdk/multipart/form-part.ts';
import { type Json, type JsonObject, writtenText } from '../../../schema/json/json.ts';

const listMark = '[]';

/** Whether a name is that of a list. Each of the list's parts has the name. */
const isListName = (name: string): boolean => name.endsWith(listMark);

/** Returns the name of the member of `fields` that a part belongs to. */
export const toKey = (name: string): string => (isListName(name) ? name.slice(0, -listMark.length) : name);

/** The only field that is not text in the dialects, however its clients write it. */
const toValue = (key: string, text: string): Json =>
  key === 'stream' && (text === 'true' || text === 'false') ? text === 'true' : text;

/** A part as it appears in its form. */
export interface ReadPart {
  readonly name: string;
  /** Its position in the form, including its header lines. */
  readonly place: { readonly from: number; readonly to: number };
  /** The text of a field, or the name of a file. */
  readonly value: string | { readonly file: string };
}

/** Returns a form as one object. Throws a `malformed-upload` if several parts have a name that is not that of a list. */
export const toFields = (parts: readonly ReadPart[]): JsonObject => {
  const fields = new Map<string, Json>();
  for (const { name, value } of parts) {
    const key = toKey(name);
    const item: Json = typeof value === 'string' ? toValue(key, value) : { ...value };
    const before = fields.get(key);
    if (isListName(name) && (before === undefined || Array.isArray(before))) fields.set(key, [...(before ?? []), item]);
    else if (before === undefined) fields.set(key, item);
    else
      throw malformed(
        `it has several fields "${name.slice(0, 100)}". Send one, or name them "${key.slice(0, 100)}[]".`,
      );
  }
  return Object.fromEntries(fields);
};

/** Returns the form fields for a value: one for each item of a list. */
export const toParts = (key: string, value: Json): readonly (readonly [name: string, text: string])[] =>
  Array.isArray(value) ? value.map((item) => [key + listMark, writtenText(item)]) : [[key, writtenText(value)]];
