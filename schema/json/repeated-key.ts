import { fromJson } from './from-json.ts';
import { closeBrace, closeBracket, colon, isSpace, openBrace, openBracket, quote } from './json-bytes.ts';
import { stringEnd } from './string-end.ts';

/** Matches keys that need no decoding: ASCII without escapes. */
const plain = /^[^\\\x80-\xff]*$/;

/** Decodes a key whose bytes were read as Latin-1. */
const toKey = (written: string): string => {
  if (plain.test(written)) return written;
  const text = Buffer.from(written, 'latin1').toString('utf8');
  try {
    return String(fromJson(`"${text}"`));
  } catch {
    return text;
  }
};

/** Whether the string that ends at `end` is a key. */
const isKey = (text: string, end: number): boolean => {
  let next = end + 1;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return text.charCodeAt(next) === colon;
};

/**
 * Finds a key that an object of the JSON text `bytes` has twice, at any depth. Parsers differ in which of the two they use, so
 * the provider might read another value than was checked here. For bytes that are not JSON it may find no such key.
 */
export const repeatedKey = (bytes: Buffer): string | undefined => {
  const text = bytes.toString('latin1');
  /** The keys of the enclosing objects; lists have none. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = stringEnd(text, at);
      const keys = open[open.length - 1];
      if (keys !== undefined && isKey(text, end)) {
        const key = toKey(text.slice(at + 1, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end;
    } else if (code === openBrace) open.push(new Set());
    else if (code === openBracket) open.push(undefined);
    else if (code === closeBrace || code === closeBracket) open.pop();
  }
  return undefined;
};
