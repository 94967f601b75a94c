const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Levels of objects and lists inside one another. What is written anew, compared or copied is gone through by recursion. */
const mostLevels = 1000;
/** Texts, objects and lists of one JSON text together; numbers are not counted, since they cost little. */
const mostValues = 2_000_000;

/** Whether a character is there more often than so many times. The engine finds characters quickly. */
const hasMore = (text: string, character: string, most: number): boolean => {
  let at = text.indexOf(character);
  for (let found = 1; at !== -1; found += 1) {
    if (found > most) return true;
    at = text.indexOf(character, at + 1);
  }
  return false;
};

/** Most texts cannot be at fault, and are not gone through: each level begins, and each value needs two characters. */
const isHarmless = (text: string): boolean =>
  text.length <= 2 * mostLevels ||
  (text.length <= 2 * mostValues && !hasMore(text, '[', mostLevels / 2) && !hasMore(text, '{', mostLevels / 2));

/** Where the JSON text that begins at `at` ends: its last quote, or the end of all. */
const textEnd = (text: string, at: number): number => {
  let end = text.indexOf('"', at + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

/**
 * Why a text is not parsed although it may be JSON, as the end of a sentence: what takes a hundred times its own size
 * in memory, or seconds, or more levels than can be gone through. `JSON.parse` has no bound of its own. A text of
 * Latin-1 characters may stand for the bytes of UTF-8.
 */
export const jsonTextFault = (text: string): string | undefined => {
  if (isHarmless(text)) return undefined;
  let level = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = textEnd(text, at);
      values += 1;
    } else if (code === openBrace || code === openBracket) {
      level += 1;
      values += 1;
      if (level > mostLevels) return `it nests deeper than ${mostLevels} levels.`;
    } else if (code === closeBrace || code === closeBracket) level -= 1;
    if (values > mostValues) return `it holds more than ${mostValues} values.`;
  }
  return undefined;
};
