import { hash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Writes Crockford's base32 in lower case, without padding; the bits that are left over in the last letter are zero. */
export const toBase32 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/.{1,5}/g, (bits) => alphabet.charAt(Number.parseInt(bits.padEnd(5, '0'), 2)));

/** Returns the bytes that `toBase32` wrote as this text; undefined for any other text. */
export const fromBase32 = (text: string): Uint8Array | undefined => {
  const values = Array.from(text, (letter) => alphabet.indexOf(letter));
  if (values.includes(-1)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  return toBase32(bytes) === text ? bytes : undefined;
};

const secretBytes = 32;
const checksumLength = 6;
const pattern = /^(gw-([0-9a-z]{26})-([0-9a-z]{52}))-([0-9a-z]{6})$/;

/** The parts of a key's text. */
export interface KeyText {
  /** The id of its record, a UUID. */
  readonly id: string;
  /** 52 characters of base32. */
  readonly secret: string;
}

const toChecksum = (text: string): string => toBase32(hash('sha256', text, 'buffer')).slice(0, checksumLength);

const toUuid = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const fromUuid = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Writes a new key, `gw-<id>-<secret>-<checksum>`, for the record with this id, a UUID. The secret has 32 bytes. */
export const makeKeyText = (id: string, secret: Uint8Array = randomBytes(secretBytes)): string => {
  const text = `gw-${toBase32(fromUuid(id))}-${toBase32(secret)}`;
  return `${text}-${toChecksum(text)}`;
};

/** Reads a key; undefined for a text that is none, or whose checksum is wrong. It says nothing about whether the key is known. */
export const parseKeyText = (text: string): KeyText | undefined => {
  const [, checked, id, secret, checksum] = pattern.exec(text) ?? [];
  if (checked === undefined || id === undefined || secret === undefined) return undefined;
  if (toChecksum(checked) !== checksum) return undefined;
  const bytes = fromBase32(id);
  return bytes === undefined || fromBase32(secret) === undefined ? undefined : { id: toUuid(bytes), secret };
};

/** Computes the stored form of a key: SHA-256 of all of it, in hexadecimal digits. */
export const keyHash = (text: string): string => hash('sha256', text, 'hex');

/** The beginning of each key of our making. */
const beginning = 'gw-';

const ending = (text: string): string => `…${text.slice(-4)}`;

/** Masks a key for people: the last four characters of its secret, or of all of it where it is not of our making. */
export const keyMask = (text: string): string => {
  const key = parseKeyText(text);
  return key === undefined ? ending(text) : `${beginning}${ending(key.secret)}`;
};

/** Whether a mask is that of a key that was chosen, and not made here. */
export const isChosenMask = (mask: string): boolean => !mask.startsWith(beginning);

/** Whether a text could be a key that was made here, or one of those that were chosen, by their masks. */
export const couldBeKey = (text: string, chosen: ReadonlySet<string>): boolean =>
  text.startsWith(beginning) || (chosen.size > 0 && chosen.has(ending(text)));
