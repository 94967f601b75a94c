import { backslash } from '../../../schema/json/json-bytes.ts';

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
export const shortText = (bytes: Buffer, from: number, to: number): string | undefined => {
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
