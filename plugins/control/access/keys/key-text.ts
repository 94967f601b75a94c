import { hash, randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Encodes bytes in Crockford's base32, in lower case without padding. Unused bits of the last letter are zero. */
export const toBase32 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/.{1,5}/g, (bits) => alphabet.charAt(Number.parseInt(bits.padEnd(5, '0'), 2)));

/** Decodes a text that `toBase32` wrote; returns undefined for any other text. */
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

/** Creates the text of a new key, `gw-<id>-<secret>-<checksum>`, for the record with this id, a UUID. The secret has 32 bytes. */
export const makeKeyText = (id: string, secret: Uint8Array = randomBytes(secretBytes)): string => {
  const text = `gw-${toBase32(fromUuid(id))}-${toBase32(secret)}`;
  return `${text}-${toChecksum(text)}`;
};

/** Parses a key; returns undefined if the text is not a key or its checksum is wrong. Whether the key is known is not checked. */
export const parseKeyText = (text: string): KeyText | undefined => {
  const [, checked, id, secret, checksum] = pattern.exec(text) ?? [];
  if (checked === undefined || id === undefined || secret === undefined) return undefined;
  if (toChecksum(checked) !== checksum) return undefined;
  const bytes = fromBase32(id);
  return bytes === undefined || fromBase32(secret) === undefined ? undefined : { id: toUuid(bytes), secret };
};

/** Computes the stored form of a key: SHA-256 of all of it, in hexadecimal digits. */
export const keyHash = (text: string): string => hash('sha256', text, 'hex');

/** The prefix of each key that is generated here. */
const beginning = 'gw-';

const ending = (text: string): string => `…${text.slice(-4)}`;

/** Masks a key for people: shows the last four characters of its secret, or of the whole key if it was not generated here. */
export const keyMask = (text: string): string => {
  const key = parseKeyText(text);
  return key === undefined ? ending(text) : `${beginning}${ending(key.secret)}`;
};

/** Whether a mask belongs to a chosen key, rather than one that was generated here. */
export const isChosenMask = (mask: string): boolean => !mask.startsWith(beginning);

/** Whether a text could be a key that was generated here, or one of the chosen keys, judged by their masks. */
export const couldBeKey = (text: string, chosen: ReadonlySet<string>): boolean =>
  text.startsWith(beginning) || (chosen.size > 0 && chosen.has(ending(text)));
