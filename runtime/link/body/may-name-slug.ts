const at = 0x40;
const quote = 0x22;
const colon = 0x3a;
const slugStart: Buffer = Buffer.from('"@');
const modelKey: Buffer = Buffer.from('"model"');

/** Texts that begin with "@" which are looked at one by one. */
const mostLooks = 1000;

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The offset of the last byte before `end` that is not white space. */
const lastBefore = (bytes: Buffer, end: number): number => {
  let last = end - 1;
  while (isSpace(bytes[last])) last -= 1;
  return last;
};

/** Whether the text that begins at `start` is the value of a member `model`. */
const isModel = (bytes: Buffer, start: number): boolean => {
  const before = lastBefore(bytes, start);
  if (bytes[before] !== colon) return false;
  const keyEnd = lastBefore(bytes, before);
  if (bytes[keyEnd] !== quote) return false;
  const from = keyEnd + 1 - modelKey.length;
  return from >= 0 && bytes.compare(modelKey, 0, modelKey.length, from, keyEnd + 1) === 0;
};

/**
 * Whether a member `model` of the JSON text `bytes`, at any depth, may begin with "@". Most bodies have no "@" at all,
 * which one search tells; they are not parsed.
 */
export const mayNameSlug = (bytes: Buffer): boolean => {
  if (bytes.indexOf(at) === -1) return false;
  let looks = 0;
  for (let start = bytes.indexOf(slugStart); start !== -1; start = bytes.indexOf(slugStart, start + 1)) {
    looks += 1;
    if (looks > mostLooks || isModel(bytes, start)) return true;
  }
  return false;
};
