import type { RequestBody } from '../../../plugins/sdk/http.ts';
import { toBuffer } from '../../../plugins/sdk/to-buffer.ts';

const backslash = 0x5c;

/** A quote after a backslash is a character of a string: what follows it is something that somebody wrote about marks. */
const contains = (bytes: Buffer, mark: Buffer): boolean => {
  let at = bytes.indexOf(mark);
  while (at > 0 && bytes[at - 1] === backslash) at = bytes.indexOf(mark, at + mark.length);
  return at !== -1;
};

/** Whether a JSON body contains one of some marks, which begin with a quote. The bytes are searched, and not decoded. */
export const carriesMark = (body: RequestBody, marks: readonly Buffer[]): boolean => {
  if (body.kind !== 'bytes') return false;
  const bytes = toBuffer(body.bytes);
  return marks.some((mark) => contains(bytes, mark));
};
