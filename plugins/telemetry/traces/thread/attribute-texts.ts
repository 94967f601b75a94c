import { longestValue } from '../records.ts';

/** The value of an attribute; one that is not known is left out. */
type Value = string | number | boolean | readonly string[] | null;

/** A text in JSON. Receivers reject all of a batch for half of a pair of UTF-16. */
export const jsonText = (text: string): string => JSON.stringify(text.toWellFormed());

const stringValue = (text: string): string => `{"stringValue":${jsonText(text.slice(0, longestValue))}}`;

const valueText = (value: Exclude<Value, null>): string => {
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? `{"intValue":${value}}` : `{"doubleValue":${value}}`;
  if (Array.isArray(value)) return `{"arrayValue":{"values":[${value.map(stringValue).join(',')}]}}`;
  // A plugin may have put anything there.
  return stringValue(String(value));
};

/** An attribute of a key, of the text of its value. */
const keyed = (key: string): ((value: string) => string) => {
  const before = `{"key":${JSON.stringify(key)},"value":`;
  return (value) => `${before}${value}}`;
};

/** Attributes as OTLP has them in a list in JSON. */
export const attributeTexts = (attributes: Readonly<Record<string, Value>>): string =>
  Object.entries(attributes)
    .flatMap(([key, value]) => (value === null ? [] : keyed(key)(valueText(value))))
    .join(',');

/** One that follows others, whose values do not come again. */
export const ownAttribute = (key: string): ((value: string) => string) => {
  const text = keyed(key);
  return (value) => `,${text(stringValue(value))}`;
};

/** The same of whole numbers; what is none is left out. */
export const amountAttribute = (key: string): ((amount: number | null) => string) => {
  const text = keyed(key);
  return (amount) => (Number.isSafeInteger(amount) ? `,${text(`{"intValue":${amount}}`)}` : '');
};
