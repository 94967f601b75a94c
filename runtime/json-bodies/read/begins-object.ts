import { isSpace, openBrace } from '../../../schema/json/json-bytes.ts';

/** The bytes of byte order marks. */
const markBytes: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf, 0xfe, 0xff]);
const maxMarkBytes = 4;
/** The zeros before an ASCII character in UTF-32. */
const maxZeros = 3;

/**
 * Whether bytes begin like a JSON object, or contain only what may come before one. That includes a byte order mark and the zeros
 * of UTF-16 and UTF-32: such a text is not valid JSON here, but some providers read it anyway.
 */
export const beginsObject = (bytes: Uint8Array): boolean => {
  let zeros = 0;
  for (const [at, byte] of bytes.entries()) {
    zeros = byte === 0 ? zeros + 1 : 0;
    if (zeros > maxZeros) return false;
    if (zeros === 0 && !isSpace(byte) && !(at < maxMarkBytes && markBytes.has(byte))) return byte === openBrace;
  }
  return true;
};
