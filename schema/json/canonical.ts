import type * as Crypto from 'node:crypto';
import { requireModule } from '../modules/require-module.ts';

/** `sha256:` and 64 hexadecimal digits. */
export type ContentHash = `sha256:${string}`;

/**
 * The canonical form of a JSON value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as
 * ECMAScript prints them. Members that are `undefined` are left out, as `JSON.stringify` does.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalList(value);
  const members = value as { readonly [name: string]: unknown };
  let text = '';
  for (const name of sortedNames(members)) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

/** Most objects of plans have their members in this order, or nearly. */
const sortedNames = (value: object): readonly string[] => {
  const names = Object.keys(value);
  for (let at = 1; at < names.length; at += 1) if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort();
  return names;
};

const canonicalList = (list: readonly unknown[]): string => {
  let text = '';
  for (let at = 0; at < list.length; at += 1) text += `${at === 0 ? '' : ','}${canonicalJson(list[at] ?? null)}`;
  return `[${text}]`;
};

let crypto: Pick<typeof Crypto, 'hash'> | undefined;

/** The SHA-256 of a text. */
export const hashText = (text: string): ContentHash => {
  crypto ??= requireModule('node:crypto') as typeof Crypto;
  return `sha256:${crypto.hash('sha256', text, 'hex')}`;
};

/** The SHA-256 of a value's canonical JSON: two values have the same hash when they are the same JSON. */
export const hashValue = (value: unknown): ContentHash => hashText(canonicalJson(value));
