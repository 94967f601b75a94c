import { closeBrace, closeBracket, colon, isSpace, openBrace, openBracket, quote } from '../../../schema/json-bytes.ts';
import { jsonTextEnd } from './json-text-end.ts';

/** The key that ends at `end`, unescaped; undefined if a value ends there. */
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
 * A key that an object of the JSON text `bytes` has twice, at any depth. Parsers differ in which of the two counts, so
 * the provider might read another value than was checked here. For bytes that are not JSON it may find no such key.
 */
export const repeatedKey = (bytes: Buffer): string | undefined => {
  /** The keys of the enclosing objects; lists have none. */
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
