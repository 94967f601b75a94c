import { longestValue } from '../records/records.ts';
import { attributeFields, listFields, valueFields } from './otlp-fields.ts';
import { ProtoWriter } from './proto-writer.ts';
import { remembered } from './remembered.ts';

/** The value of an attribute. Attributes without a known value are omitted. */
type Value = string | number | boolean | readonly string[] | null;

const writeString = (to: ProtoWriter, text: string): void => to.text(valueFields.string, text.slice(0, longestValue));

const writeList = (to: ProtoWriter, values: readonly string[]): void => {
  const list = to.begin(valueFields.list);
  for (const value of values) {
    const begin = to.begin(listFields.values);
    writeString(to, value);
    to.end(begin);
  }
  to.end(list);
};

const writeValue = (to: ProtoWriter, value: Exclude<Value, null>): void => {
  if (typeof value === 'boolean') to.varint(valueFields.bool, value ? 1 : 0);
  else if (Number.isSafeInteger(value)) to.int64(valueFields.int, Number(value));
  else if (typeof value === 'number') to.double(valueFields.double, value);
  else if (Array.isArray(value)) writeList(to, value);
  // A plugin may have put any value there.
  else writeString(to, String(value));
};

const scratch = new ProtoWriter();

/** Encodes fields once, for many messages. */
export const toFields = (write: (to: ProtoWriter) => void): Uint8Array => {
  const begin = scratch.length;
  write(scratch);
  return scratch.take(begin);
};

const toKey = remembered((key: string) => toFields((to) => to.text(attributeFields.key, key)));

const writeDouble = (to: ProtoWriter, value: number): void => to.double(valueFields.double, value);

const writeKeyed = <Written>(
  to: ProtoWriter,
  { field, key }: { readonly field: number; readonly key: Uint8Array },
  value: Written,
  write: (to: ProtoWriter, value: Written) => void,
): void => {
  const attribute = to.begin(field);
  to.fields(key);
  const begin = to.begin(attributeFields.value);
  write(to, value);
  to.end(begin);
  to.end(attribute);
};

/** Writes each attribute into a field of its own. */
export const writeAttributes = (to: ProtoWriter, field: number, attributes: Readonly<Record<string, Value>>): void => {
  for (const [key, value] of Object.entries(attributes))
    if (value !== null) writeKeyed(to, { field, key: toKey(key) }, value, writeValue);
};

/** Creates a writer for an attribute whose values do not recur. */
export const attribute = (field: number, key: string): ((to: ProtoWriter, value: string | number) => void) => {
  const place = { field, key: toKey(key) };
  return (to, value) => writeKeyed(to, place, value, writeValue);
};

/** Creates a writer for an attribute whose values are fractions. Integers are written with the same type. */
export const fraction = (field: number, key: string): ((to: ProtoWriter, value: number) => void) => {
  const place = { field, key: toKey(key) };
  return (to, value) => writeKeyed(to, place, value, writeDouble);
};
