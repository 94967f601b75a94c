import { jsonTextEnd } from './json-text-end.ts';

const quote = 0x22;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Levels of objects and lists inside one another. */
const mostLevels = 1000;
/** Texts, objects and lists of one body together; numbers are not counted, since they cost little. */
const mostValues = 2_000_000;
/** A body of so many bytes is parsed in some milliseconds, whatever it is, and is not looked at. */
const harmlessBytes = 128 * 1024;

/**
 * Why a body is not parsed although it may be JSON, as the end of a sentence: what takes a hundred times its own size
 * in memory, or seconds. `JSON.parse` has no bound of its own.
 */
export const jsonFault = (bytes: Buffer): string | undefined => {
  if (bytes.length <= harmlessBytes) return undefined;
  let level = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      at = jsonTextEnd(bytes, at);
      values += 1;
    } else if (byte === openBrace || byte === openBracket) {
      level += 1;
      values += 1;
      if (level > mostLevels) return `it nests deeper than ${mostLevels} levels.`;
    } else if (byte === closeBrace || byte === closeBracket) level -= 1;
    if (values > mostValues) return `it holds more than ${mostValues} values.`;
  }
  return undefined;
};
