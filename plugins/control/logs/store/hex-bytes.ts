const codes = 128;
const none = 255;
const hyphen = 45;

/** By character code, what a hexadecimal digit in lower case stands for. */
const digits = new Uint8Array(codes).fill(none);
for (const [value, digit] of [...'0123456789abcdef'].entries()) digits[digit.charCodeAt(0)] = value;

/** Writes the bytes of hexadecimal digits, between which may be hyphens. Answers how many there were; -1 for other texts. */
export const writeHex = (text: string, bytes: Uint8Array, start: number): number => {
  let at = start;
  let high = -1;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === hyphen) continue;
    const digit = code < codes ? (digits[code] ?? none) : none;
    if (digit === none || at === bytes.length) return -1;
    if (high === -1) high = digit;
    else {
      bytes[at] = high * 16 + digit;
      high = -1;
      at += 1;
    }
  }
  return high === -1 ? at - start : -1;
};
