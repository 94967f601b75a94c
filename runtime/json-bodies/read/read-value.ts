import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json } from '../../../schema/json/json.ts';
import { backslash, quote } from '../../../schema/json/json-bytes.ts';

/** Names of members and of models are not longer. */
const longest = 48;

interface KnownText {
  readonly text: string;
  /** Its characters, which are of ASCII. */
  readonly bytes: Uint8Array;
}

/** Names occur again and again. Each has one place, which the one that was read last has; the size is a power of two. */
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

/** The same text as V8 keeps the names of members: these are compared, and found in objects, without a look at their characters. */
const toName = (text: string): string => Object.keys({ [text]: true })[0] ?? text;

const placeOf = (length: number, first: number, middle: number, last: number): number =>
  (length * 7 + first * 31 + middle * 5 + last * 131) & (places - 1);

/**
 * The text of bytes of a JSON string; undefined if there are many of them, if they have escapes, or others than those of ASCII. To
 * find a text that was read before takes less than to make it.
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

/** Integers of so many digits are exact. */
const exactDigits = 15;
const [zero, ten] = [0x30, 10];

/** The first letters of literals. */
const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];

/** The number that a value is; undefined if it has other characters than a few digits. */
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

/** The string between two quotes of a JSON text, which are part of the bytes. */
export const readString = (bytes: Buffer, from: number, to: number): string =>
  shortText(bytes, from + 1, to - 1) ?? fromJson(bytes.toString('utf8', from, to));

/** The value that bytes are which have been checked to be one. */
export const readValue = (bytes: Buffer, from: number, to: number): Json => {
  const first = bytes[from];
  if (first === quote) return readString(bytes, from, to);
  if (first === letterT || first === letterF) return first === letterT;
  if (first === letterN) return null;
  return toInteger(bytes, from, to) ?? fromJson(bytes.toString('utf8', from, to));
};
