import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { closeBrace, comma, isSpace, openBrace } from '../../../schema/json/json-bytes.ts';
import { skipSpace } from '../../../schema/json/json-places.ts';

const findLast = (bytes: Buffer): number => {
  let last = bytes.length - 1;
  while (last >= 0 && isSpace(bytes[last])) last -= 1;
  return last;
};

/**
 * Returns the ending of a name, from its last underscore. If the ending does not occur, neither does the name. Prose has few
 * underscores, so that a search for it hardly ever stops.
 */
const toEnding = (name: string): Buffer => Buffer.from(`${name.slice(Math.max(name.lastIndexOf('_'), 0))}"`);

/** Inserts a first member whose value is the JSON text that the joined pieces form. */
export type PutFirst = (bytes: Uint8Array, pieces: readonly string[]) => Buffer | undefined;

/**
 * Returns a function that inserts a member of this name into JSON objects. Only both ends of an object are read. It returns
 * undefined if the bytes do not begin and end like an object, or if they may contain the name.
 */
export const withFirstMember = (name: string): PutFirst => {
  const begin = Buffer.from(`{"${name}":`);
  const ending = toEnding(name);
  return (bytes, pieces) => {
    const text = toBuffer(bytes);
    const open = skipSpace(text, 0);
    const close = findLast(text);
    if (text[open] !== openBrace || text[close] !== closeBrace || text.includes(ending)) return undefined;
    const isEmpty = skipSpace(text, open + 1) === close;
    let length = begin.length + (isEmpty ? 0 : 1);
    for (const piece of pieces) length += Buffer.byteLength(piece);
    const whole = Buffer.allocUnsafe(length + text.length - 1);
    text.copy(whole, 0, 0, open);
    whole.set(begin, open);
    let next = open + begin.length;
    for (const piece of pieces) next += whole.write(piece, next);
    if (!isEmpty) next = whole.writeUInt8(comma, next);
    text.copy(whole, next, open + 1);
    return whole;
  };
};
