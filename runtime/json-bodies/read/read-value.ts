import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json } from '../../../schema/json/json.ts';
import { backslash, quote } from '../../../schema/json/json-bytes.ts';

/** Names of members and of models are not longer than this. */
const longest = 48;

interface KnownText {
  readonly text: string;
  /** Its characters, which are ASCII. */
  readonly bytes: Uint8Array;
}

/** Names occur repeatedly. Each has one slot, which holds the name that was read last. The size is a power of two. */
const places = 512;
const known: (KnownText | undefined)[] = new Array(places).fill(undefined);

const firstOther = 0x80;

const isPlainAscii = (bytes: Buffer, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? firstOther;
    if (byte >= firstOther || byte === backslash) return false;
  }
  return true;
};

const isAt = (bytes: Buffer, from: number, text: Uint8Array): boolean => {
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text[at]) return false;
  return true;
};

/**
 * Returns the same text in the form in which V8 stores member names. These are compared, and found in objects, without looking at
 * their characters.
 */
const toName = (text: string): string => Object.keys({ [text]: true })[0] ?? text;

const placeOf = (length: number, first: number, middle: number, last: number): number =>
  (length * 7 + first * 31 + middle * 5 + last * 131) & (places - 1);

/**
 * Returns the text of a JSON string from its bytes. Undefined if it is long, has escapes, or has characters other than ASCII.
 * Looking up a text that was read before is faster than creating it.
 */
const shortText = (bytes: Buffer, from: number, to: number): string | undefined => {
  const length = to - from;
  if (length > longest) return undefined;
  if (length === 0) return '';
  const place = placeOf(length, bytes[from] ?? 0, bytes[from + (length >> 1)] ?? 0, bytes[to - 1] ?? 0);
  const found = known[place];
  if (found !== undefined && found.bytes.length === length && isAt(bytes, from, found.bytes)) return found.text;
  if (!isPlainAscii(bytes, from, to)) return undefined;
  const text = toName(bytes.toString('latin1', from, to));
  known[place] = { text, bytes: Uint8Array.from(bytes.subarray(from, to)) };
  return text;
};

/** Integers with this many digits are exact. */
const exactDigits = 15;
const [zero, ten] = [0x30, 10];

/** The first letters of literals. */
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** Returns the number of a value. Undefined if it has characters other than a few digits. */
const toInteger = (bytes: Buffer, from: number, to: number): number | undefined => {
  if (to - from > exactDigits) return undefined;
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - zero;
    if (digit < 0 || digit >= ten) return undefined;
    value = value * ten + digit;
  }
  return value;
};

/** Returns the string between two quotes of a JSON text. The quotes are part of the bytes. */
export const readString = (bytes: Buffer, from: number, to: number): string =>
  shortText(bytes, from + 1, to - 1) ?? fromJson(bytes.toString('utf8', from, to));

/** Returns the value of bytes that were already checked to be one. */
export const readValue = (bytes: Buffer, from: number, to: number): Json => {
  const first = bytes[from];
  if (first === quote) return readString(bytes, from, to);
  if (first === letterT || first === letterF) return first === letterT;
  if (first === letterN) return null;
  return toInteger(bytes, from, to) ?? fromJson(bytes.toString('utf8', from, to));
};
