const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const values = new Map([...alphabet].map((letter, value) => [letter, value]));

/** Crockford's base32 in lower case, without padding; the bits that are left over in the last letter are zero. */
export const toBase32 = (bytes: Uint8Array): string => {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31];
};

/** The bytes that `toBase32` wrote as this text; undefined for any other text. */
export const fromBase32 = (text: string): Uint8Array | undefined => {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    const value = values.get(letter);
    if (value === undefined) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    at += 1;
    held &= (1 << bits) - 1;
  }
  return held === 0 && bits < 5 ? bytes : undefined;
};
