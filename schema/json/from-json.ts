import { backslash, isSpace, quote } from './json-bytes.ts';
import { JsonReader } from './json-reader.ts';

const isStringMark = (code: number): boolean => code === quote || code === backslash;

/** Counts the backslashes directly before an offset. */
const backslashesBefore = (text: string, at: number): number => {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === backslash) count += 1;
  return count;
};

type End = 'none' | 'plain' | 'escaped';

/**
 * Reads backwards from a colon. `none`: no quote precedes it, or only one that is a character of a string. `plain`: a quote that
 * ends a name without a backslash, or that begins a string. `escaped`: a quote that ends a name with a backslash.
 */
const endBefore = (text: string, colonAt: number): End => {
  let end = colonAt - 1;
  while (isSpace(text.charCodeAt(end))) end -= 1;
  if (text.charCodeAt(end) !== quote) return 'none';
  const backslashes = backslashesBefore(text, end);
  if (backslashes > 0) return backslashes % 2 === 0 ? 'escaped' : 'none';
  let mark = end - 1;
  while (mark >= 0 && !isStringMark(text.charCodeAt(mark))) mark -= 1;
  if (mark < 0) return 'plain';
  return text.charCodeAt(mark) === backslash || backslashesBefore(text, mark) % 2 === 1 ? 'escaped' : 'plain';
};

/**
 * Whether an object in a JSON text has a name that is written with an escape. It searches for backslashes and checks the colons
 * that follow them, so that long texts with line breaks take little time. For a text that is not JSON the result may be wrong.
 */
export const hasEscapedName = (text: string): boolean => {
  let at = text.indexOf('\\');
  while (at !== -1) {
    at = text.indexOf(':', at + 1);
    if (at === -1) return false;
    const end = endBefore(text, at);
    if (end === 'escaped') return true;
    // The name that this colon follows, or that contains it, has no backslash before the colon.
    if (end === 'plain') at = text.indexOf('\\', at + 1);
  }
  return false;
};

/**
 * Parses a JSON text as `JSON.parse` is specified to. Throws a `SyntaxError` for any other text.
 *
 * Since version 13, V8 misreads a name that is written with an escape if an earlier text in the same process, whoever sent it,
 * had a name with a backslash in its place: after `{"\\":1}`, `{"\u0041":1}` has the member `\` instead of `A`. A caller could
 * thereby hide from every check what the provider reads. Such texts are rare, and are parsed without the engine, which also
 * prevents their names from misleading the engine. https://github.com/nodejs/node/issues/63785
 */
export const fromJson = (text: string): ReturnType<typeof JSON.parse> =>
  hasEscapedName(text) ? new JsonReader(text).whole() : JSON.parse(text);
