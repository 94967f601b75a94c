import { jsonTextEnd } from './json-text-end.ts';

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The key whose text ends at `end`, as readers of JSON see it; undefined where what ends there is a value. */
const keyAt = (bytes: Buffer, from: number, end: number): string | undefined => {
  let next = end + 1;
  while (isSpace(bytes[next])) next += 1;
  if (bytes[next] !== colon) return undefined;
  const text = bytes.toString('utf8', from + 1, end);
  try {
    return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
  } catch {
    return text;
  }
};

/**
 * A key that an object of the JSON text `bytes` has twice, at any depth. Which of the two counts differs between
 * readers, so that what was judged here might not be what the provider reads. Of bytes that are no JSON it may find none.
 */
export const repeatedKey = (bytes: Buffer): string | undefined => {
  /** The keys of the objects around; lists have none. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = jsonTextEnd(bytes, at);
      const keys = open[open.length - 1];
      const key = keys === undefined ? undefined : keyAt(bytes, at, end);
      if (key !== undefined && keys !== undefined) {
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end;
    } else if (byte === openBrace) open.push(new Set());
    else if (byte === openBracket) open.push(undefined);
    else if (byte === closeBrace || byte === closeBracket) open.pop();
  }
  return undefined;
};
