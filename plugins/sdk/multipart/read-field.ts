import { type FormPart, malformed } from './form-part.ts';

/** The maximum length of a model's name, in bytes. */
export const maxModelBytes = 1024;

/** Returns the text of a field. Throws a `malformed-upload` if it has more than `maxBytes` bytes. */
export const readField = async ({ name, bytes, isAscii }: FormPart, maxBytes: number): Promise<string> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (isAscii === true && piece.some((byte) => byte > 0x7f))
      throw malformed(`the field "${name.slice(0, 100)}" is not written in UTF-8.`);
    if (length > maxBytes) throw malformed(`the field "${name.slice(0, 100)}" has more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};
