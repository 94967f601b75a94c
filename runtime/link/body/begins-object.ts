import { isSpace, openBrace } from '../../../schema/json-bytes.ts';

/** Whether bytes begin like a JSON object, or are only the white space that may precede one. */
export const beginsObject = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (!isSpace(byte)) return byte === openBrace;
  return true;
};
