import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import { closeBrace, comma, isSpace, openBrace } from '../../../schema/json-bytes.ts';
import { skipSpace } from '../../../schema/json-places.ts';

const lastOf = (bytes: Buffer): number => {
  let last = bytes.length - 1;
  while (last >= 0 && isSpace(bytes[last])) last -= 1;
  return last;
};

/**
 * A JSON object with a member put first, whose value is the JSON text `json`; only both its ends are read. Undefined if the
 * bytes do not begin and end as an object does, or if the name occurs in them.
 */
export const withFirstMember = (bytes: Uint8Array, name: string, json: string): Buffer | undefined => {
  const text = toBuffer(bytes);
  const open = skipSpace(text, 0);
  const close = lastOf(text);
  if (text[open] !== openBrace || text[close] !== closeBrace || text.includes(`"${name}"`)) return undefined;
  const begin = open + 1;
  const isEmpty = skipSpace(text, begin) === close;
  const member = `{"${name}":${json}}`;
  const length = Buffer.byteLength(member);
  // Its closing brace becomes the comma before the next member, or the one that is there already.
  const next = open + length - (isEmpty ? 1 : 0);
  const whole = Buffer.allocUnsafe(next + text.length - begin);
  if (open > 0) text.copy(whole, 0, 0, open);
  whole.write(member, open);
  if (!isEmpty) whole[next - 1] = comma;
  text.copy(whole, next, begin);
  return whole;
};
