import { malformed } from '../../../plugins/sdk/multipart/form-part.ts';
import { type Json, type JsonObject, writtenText } from '../../../schema/json/json.ts';

const listMark = '[]';

/** Whether a name is that of a list, whose parts have it each. */
const isListName = (name: string): boolean => name.endsWith(listMark);

/** The name of the member of `fields` that a part belongs to. */
export const toKey = (name: string): string => (isListName(name) ? name.slice(0, -listMark.length) : name);

/** The only field that is not a text in the dialects, whichever way its clients write it. */
const toValue = (key: string, text: string): Json =>
  key === 'stream' && (text === 'true' || text === 'false') ? text === 'true' : text;

/** A part as its form has it. */
export interface ReadPart {
  readonly name: string;
  /** Where it stands in the form, with its header lines. */
  readonly place: { readonly from: number; readonly to: number };
  /** The text of a field, or the name of a file. */
  readonly value: string | { readonly file: string };
}

/** A form as one object. Throws a `malformed-upload` if a name that is not that of a list stands at several parts. */
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
        `it has several fields "${name.slice(0, 100)}". Send one, or call them "${key.slice(0, 100)}[]".`,
      );
  }
  return Object.fromEntries(fields);
};

/** The fields of a form that say a value: one for each item of a list. */
export const toParts = (key: string, value: Json): readonly (readonly [name: string, text: string])[] =>
  Array.isArray(value) ? value.map((item) => [key + listMark, writtenText(item)]) : [[key, writtenText(value)]];
