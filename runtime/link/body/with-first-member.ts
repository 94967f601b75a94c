import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';
import type { Json } from '../../../schema/json.ts';
import { closeBrace, isSpace, openBrace } from '../../../schema/json-bytes.ts';
import { skipSpace } from './json-places.ts';

const lastOf = (bytes: Buffer): number => {
  let last = bytes.length - 1;
  while (last >= 0 && isSpace(bytes[last])) last -= 1;
  return last;
};

/**
 * A JSON object with a member put first; only both its ends are read. Undefined if the bytes do not begin and end as an
 * object does, or if the name occurs in them.
 */
export const withFirstMember = (bytes: Uint8Array, name: string, value: Json): Buffer | undefined => {
  const text = toBuffer(bytes);
  const key = JSON.stringify(name);
  const open = skipSpace(text, 0);
  const close = lastOf(text);
  if (text[open] !== openBrace || text[close] !== closeBrace || text.includes(key)) return undefined;
  const begin = open + 1;
  const isEmpty = skipSpace(text, begin) === close;
  const member = `${key}:${JSON.stringify(value)}${isEmpty ? '' : ','}`;
  const length = Buffer.byteLength(member);
  const whole = Buffer.allocUnsafe(text.length + length);
  text.copy(whole, 0, 0, begin);
  whole.write(member, begin);
  text.copy(whole, begin + length, begin);
  return whole;
};
