const openBrace = 0x7b;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether bytes begin as a JSON object does, or with nothing but the white space that may come before one. */
export const beginsObject = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (!isSpace(byte)) return byte === openBrace;
  return true;
};
