import { createHash } from 'node:crypto';

/** `sha256:` and 64 hexadecimal digits. */
export type ContentHash = `sha256:${string}`;

/**
 * The one spelling of a JSON value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as
 * ECMAScript prints them. Members that are `undefined` are left out, as `JSON.stringify` does.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
};

/** The SHA-256 of a text. */
export const hashText = (text: string): ContentHash => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The SHA-256 of a value's canonical JSON: two values have the same hash when they are the same JSON. */
export const hashOf = (value: unknown): ContentHash => hashText(canonicalJson(value));
