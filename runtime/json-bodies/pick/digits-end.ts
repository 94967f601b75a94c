const highBits = 0x80808080;
/** Adds to bytes so that those above the digit 9, and those below the digit 0, have their high bit set. */
const aboveNine = 0x46464646;
const zeros = 0x30303030;

/** Where a run of digits ends that begins at `from`. Four are read at once: embeddings are long numbers. */
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
