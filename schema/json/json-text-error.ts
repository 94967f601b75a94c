import { closeBrace, closeBracket, openBrace, openBracket, quote } from './json-bytes.ts';
import { stringEnd } from './string-end.ts';

/** The deepest nesting of objects and lists, because values are written, compared and copied recursively. */
export const maxLevels = 1000;
/** The most strings, objects and lists in one JSON text. Numbers are not counted because they cost little. */
export const maxValues = 2_000_000;

/** Whether a character occurs more often than `max` times. Searching for characters is fast. */
const hasMore = (text: string, character: string, max: number): boolean => {
  let at = text.indexOf(character);
  for (let found = 1; at !== -1; found += 1) {
    if (found > max) return true;
    at = text.indexOf(character, at + 1);
  }
  return false;
};

/** A text with this many characters is within the limits, because each level and each value needs two of them. */
export const harmlessLength: number = 2 * maxLevels;

/** Whether a text cannot exceed the limits. Most texts cannot, and are not scanned. */
const isHarmless = (text: string): boolean =>
  text.length <= harmlessLength ||
  (text.length <= 2 * maxValues && !hasMore(text, '[', maxLevels / 2) && !hasMore(text, '{', maxLevels / 2));

/**
 * Returns why a text is not parsed although it may be JSON, as the end of a sentence: it would take a hundred times its own size
 * in memory, or take seconds, or has too many levels for recursion. `JSON.parse` has no limits of its own. The characters may be
 * the bytes of UTF-8 read as Latin-1.
 */
export const jsonTextError = (text: string): string | undefined => {
  if (isHarmless(text)) return undefined;
  let level = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = stringEnd(text, at);
      values += 1;
    } else if (code === openBrace || code === openBracket) {
      level += 1;
      values += 1;
      if (level > maxLevels) return `it nests deeper than ${maxLevels} levels.`;
    } else if (code === closeBrace || code === closeBracket) level -= 1;
    if (values > maxValues) return `it has more than ${maxValues} values.`;
  }
  return undefined;
};
