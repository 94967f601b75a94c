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
  const members = Object.entries(value);
  if (members.length > 1) members.sort(byName);
  let text = '';
  for (const [name, member] of members) {
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const canonicalList = (list: readonly unknown[]): string => {
  let text = '';
  for (const [index, item] of list.entries()) text += `${index === 0 ? '' : ','}${canonicalJson(item ?? null)}`;
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
