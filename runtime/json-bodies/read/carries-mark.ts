import type { RequestBody } from '../../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { backslash } from '../../../schema/json/json-bytes.ts';

/** A text that bodies are searched for. */
export interface Mark {
  readonly bytes: Buffer;
  /** Its second half. Marks begin with a quote, as every JSON string does, so this has fewer false matches. */
  readonly end: Buffer;
}

export const toMark = (text: string): Mark => {
  const bytes = Buffer.from(text);
  return { bytes, end: bytes.subarray(Math.ceil(bytes.length / 2)) };
};

/** A quote after a backslash is a character of a string, so what follows it is only text about marks. */
const contains = (body: Buffer, { bytes, end }: Mark): boolean => {
  if (!body.includes(end)) return false;
  let at = body.indexOf(bytes);
  while (at > 0 && body[at - 1] === backslash) at = body.indexOf(bytes, at + bytes.length);
  return at !== -1;
};

/** Whether a JSON body contains one of some marks, which begin with a quote. The bytes are searched without decoding them. */
export const carriesMark = (body: RequestBody, marks: readonly Mark[]): boolean => {
  if (body.kind !== 'bytes') return false;
  const bytes = toBuffer(body.bytes);
  for (const mark of marks) if (contains(bytes, mark)) return true;
  return false;
};
