import type { JsonObject } from '../../../schema/json/json.ts';
import { parsedObject } from './parsed-object.ts';

/** How many members of a name are examined, so that a text full of them costs no more. */
const maxTried = 8;

const isSpace = (character: string | undefined): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

const afterSpace = (text: string, from: number): number => {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
};

/** Returns where a text that continues JSON at `from` leaves the object or list that it is in, or its length if it does not. */
const leaves = (text: string, from: number): number => {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth < 0) return at;
    }
  }
  return text.length;
};

/**
 * Returns the object that is the value of a top-level member of a JSON object. Only the end of the text need be known. If there
 * are several such members, the last counts. Undefined if there is none.
 */
export const lastMember = (text: string, name: string): JsonObject | undefined => {
  const key = `"${name}"`;
  let found = text.lastIndexOf(key);
  for (let tried = 0; found !== -1 && tried < maxTried; tried += 1) {
    const colon = afterSpace(text, found + key.length);
    const begin = afterSpace(text, colon + 1);
    if (text[colon] === ':' && text[begin] === '{') {
      const end = leaves(text, begin + 1);
      const close = leaves(text, end + 1);
      const isTop = close < text.length && afterSpace(text, close + 1) >= text.length;
      const value = isTop ? parsedObject(text.slice(begin, end + 1)) : undefined;
      if (value !== undefined) return value;
    }
    found = found === 0 ? -1 : text.lastIndexOf(key, found - 1);
  }
  return undefined;
};
