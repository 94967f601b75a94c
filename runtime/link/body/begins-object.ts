import { isSpace, openBrace } from '../../../schema/json-bytes.ts';

/** Whether bytes begin as a JSON object does, or with nothing but the white space that may come before one. */
export const beginsObject = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (!isSpace(byte)) return byte === openBrace;
  return true;
};
