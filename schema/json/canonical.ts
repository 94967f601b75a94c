import type * as Crypto from 'node:crypto';
import { requireModule } from '../modules/require-module.ts';

/** `sha256:` and 64 hexadecimal digits. */
export type ContentHash = `sha256:${string}`;

/**
 * Returns the canonical form of a JSON value (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as
 * ECMAScript prints them. Members that are `undefined` are omitted, as by `JSON.stringify`.
 */
export const canonicalJson = (value: unknown): string => {
  const inOrder = ordered(value);
  return inOrder === unorderable ? canonicalText(value) : JSON.stringify(inOrder);
};

const unorderable = Symbol('has names that objects keep in an order of their own');

/**
 * Whether a name breaks the order of an object's members: names of indices come first, and `__proto__` would not become a member.
 */
const isPlaced = (name: string): boolean => {
  const first = name.charCodeAt(0);
  return (first >= 48 && first <= 57) || name === '__proto__';
};

/** Sorts the members of all objects in a value so that the engine can serialise it, which takes a third of the time. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? orderedList(value) : orderedObject(value as { readonly [name: string]: unknown });
};

/** Returns the same list if none of its items change. */
const orderedList = (list: readonly unknown[]): unknown => {
  let changed: unknown[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = ordered(list[at]);
    if (item === unorderable) return unorderable;
    if (changed === undefined && item !== list[at]) changed = list.slice(0, at);
    changed?.push(item);
  }
  return changed ?? list;
};

/** Returns the same object if its members are sorted and none of their values change. */
const orderedObject = (members: { readonly [name: string]: unknown }): unknown => {
  const names = Object.keys(members);
  if (names.some(isPlaced)) return unorderable;
  let changed: Record<string, unknown> | undefined;
  if (!isSorted(names)) {
    names.sort();
    changed = {};
  }
  for (const [at, name] of names.entries()) {
    const own = members[name];
    const member = ordered(own);
    if (member === unorderable) return unorderable;
    if (changed === undefined && member !== own)
      changed = Object.fromEntries(names.slice(0, at).map((before) => [before, members[before]]));
    if (changed !== undefined) changed[name] = member;
  }
  return changed ?? members;
};

const isSorted = (names: readonly string[]): boolean => {
  for (let at = 1; at < names.length; at += 1) if ((names[at - 1] ?? '') > (names[at] ?? '')) return false;
  return true;
};

const canonicalText = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item ?? null)).join(',')}]`;
  const texts = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${texts.join(',')}}`;
};

let crypto: Pick<typeof Crypto, 'hash'> | undefined;

/** Returns the SHA-256 of a text. */
export const hashText = (text: string): ContentHash => {
  crypto ??= requireModule('node:crypto') as typeof Crypto;
  return `sha256:${crypto.hash('sha256', text, 'hex')}`;
};

/** Returns the SHA-256 of a value's canonical JSON. Two values have the same hash if they are the same JSON. */
export const hashValue = (value: unknown): ContentHash => hashText(canonicalJson(value));
