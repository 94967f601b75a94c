import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from '../../../schema/json/json-bytes.ts';

/** The position of a member in the text of a JSON object. */
export interface MemberPlace {
  /** The offset of its key. */
  readonly from: number;
  /** The offset after the colon. */
  readonly value: number;
  /** The offset of the comma or the brace that follows its value. */
  readonly end: number;
}

const isEscaped = (text: string, at: number): boolean => {
  let escapes = 0;
  while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
  return escapes % 2 === 1;
};

/** Returns the offset of the opening quote of the string that ends at `end`, or -1 if there is none. */
const stringStart = (text: string, end: number): number => {
  let start = end;
  do start = start === 0 ? -1 : text.lastIndexOf('"', start - 1);
  while (start !== -1 && isEscaped(text, start));
  return start;
};

const colon = /\s*:/y;

/** Returns the offset after the colon that follows, or 0 if none does. */
const afterColon = (text: string, at: number): number => {
  colon.lastIndex = at;
  return colon.test(text) ? colon.lastIndex : 0;
};

/**
 * Finds a member of a JSON object. Undefined if the object itself has none of that name. The text is read from its end, because
 * providers put additional members there.
 */
export const topMember = (text: string, name: string): MemberPlace | undefined => {
  let depth = 0;
  let end = -1;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const last = at;
      at = stringStart(text, at);
      if (depth !== 1 || last - at - 1 !== name.length || !text.startsWith(name, at + 1)) continue;
      const value = afterColon(text, last + 1);
      if (value > 0) return { from: at, value, end };
    } else if (code === comma) {
      if (depth === 1) end = at;
    } else if (code === closeBrace || code === closeBracket) {
      depth += 1;
      if (depth === 1) end = at;
    } else if (code === openBrace || code === openBracket) depth -= 1;
  }
  return undefined;
};
