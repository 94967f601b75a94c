import { fromJson } from './from-json.ts';
import { closeBrace, closeBracket, comma, isSpace, openBrace, openBracket, quote } from './json-bytes.ts';
import { jsonTextEnd } from './json-text-end.ts';
import { fromPointer, type JsonPointer } from './pointer.ts';

/** The bytes of a value; `to` is after its last one. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A member of an object, with the place of its value. */
export interface Member extends Place {
  readonly key: string;
}

/** Returns the offset of the first byte from `at` on that is not white space. */
export const skipSpace = (text: Buffer, at: number): number => {
  let next = at;
  while (isSpace(text[next])) next += 1;
  return next;
};

const isOpening = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket;
const isClosing = (byte: number | undefined): boolean => byte === closeBrace || byte === closeBracket;

/** Returns the offset after the value that begins at `at`, without the white space that follows it. */
const skipValue = (text: Buffer, at: number): number => {
  let depth = 0;
  let next = at;
  let end = at;
  while (next < text.length) {
    const byte = text[next];
    if (depth === 0 && (byte === comma || isClosing(byte))) return end;
    if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    next = byte === quote ? jsonTextEnd(text, next) + 1 : next + 1;
    if (!isSpace(byte)) end = next;
  }
  return end;
};

/** Reads the members of the object whose brace is at `open`, in order. A repeated key is listed each time. */
export const readMembers = (text: Buffer, open: number): readonly Member[] => {
  const members: Member[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] === quote) {
    const keyEnd = jsonTextEnd(text, at) + 1;
    // A key written with escapes is still the same key.
    const key: unknown = fromJson(text.toString('utf8', at, keyEnd));
    // A key is followed by a colon, and a value by a comma or the end.
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const to = skipValue(text, from);
    members.push({ key: String(key), from, to });
    at = skipSpace(text, skipSpace(text, to) + 1);
  }
  return members;
};

const itemAt = (text: Buffer, open: number, index: number): Place | undefined => {
  let from = skipSpace(text, open + 1);
  for (let at = 0; text[from] !== closeBracket; at += 1) {
    const to = skipValue(text, from);
    if (at === index) return { from, to };
    const next = skipSpace(text, to);
    if (text[next] !== comma) return undefined;
    from = skipSpace(text, next + 1);
  }
  return undefined;
};

/** Finds the value that a pointer names in valid JSON. If a key is repeated, the last one applies, as in `JSON.parse`. */
export const findPlace = (text: Buffer, pointer: JsonPointer): Place | undefined => {
  const start = skipSpace(text, 0);
  let place: Place | undefined = { from: start, to: skipValue(text, start) };
  for (const token of fromPointer(pointer)) {
    if (place === undefined) return undefined;
    const { from }: Place = place;
    if (text[from] === openBrace) place = readMembers(text, from).findLast(({ key }) => key === token);
    else place = text[from] === openBracket ? itemAt(text, from, Number(token)) : undefined;
  }
  return place;
};
