/** The digits of base 64 in the order of their bytes, so that short ids sort like the ids. */
const digits = Buffer.from('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');

const uuid = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
const correction = '~corrected';
const hyphen = 0x2d;
const noDigit = 0xff;

/** The values of the hexadecimal digits by character code; `noDigit` for all others. */
const nibbles = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const at = '0123456789abcdef'.indexOf(String.fromCharCode(code));
  return at === -1 ? noDigit : at;
});

const bytesOfUuid = 16;
const bits = new Uint8Array(3 * Math.ceil(bytesOfUuid / 3));
const written = Buffer.alloc(22);

/** Writes the bytes of a UUID to `bits`. Returns false if the text does not begin with a UUID. */
const readUuid = (text: string): boolean => {
  let nibble = 0;
  let byte = 0;
  for (let at = 0; at < uuid.length; at += 1) {
    const code = text.charCodeAt(at);
    if (uuid.charCodeAt(at) === hyphen) {
      if (code !== hyphen) return false;
      continue;
    }
    const value = nibbles[code] ?? noDigit;
    if (value === noDigit) return false;
    byte = (byte << 4) | value;
    nibble += 1;
    if ((nibble & 1) === 0) {
      bits[(nibble >> 1) - 1] = byte;
      byte = 0;
    }
  }
  return true;
};

const digitsOfBits = (): string => {
  for (let at = 0, from = 0; at < written.length; at += 4, from += 3) {
    const three = ((bits[from] ?? 0) << 16) | ((bits[from + 1] ?? 0) << 8) | (bits[from + 2] ?? 0);
    written[at] = digits[three >> 18] ?? 0;
    written[at + 1] = digits[(three >> 12) & 0x3f] ?? 0;
    if (at + 2 === written.length) break;
    written[at + 2] = digits[(three >> 6) & 0x3f] ?? 0;
    written[at + 3] = digits[three & 0x3f] ?? 0;
  }
  return written.toString('latin1');
};

const short = /^[-\w]{22}~?$/;

/**
 * Shortens an id for the ledger: to 22 characters for a UUID, followed by `~` for its correction. Other ids stay as they are. Two
 * ids never have the same short form.
 */
export const shortId = (id: string): string => {
  const isCorrection = id.length === uuid.length + correction.length && id.endsWith(correction);
  if ((isCorrection || id.length === uuid.length) && readUuid(id))
    return isCorrection ? `${digitsOfBits()}~` : digitsOfBits();
  return short.test(id) || id.startsWith('~') ? `~${id}` : id;
};
