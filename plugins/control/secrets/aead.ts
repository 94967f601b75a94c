import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What AES-256-GCM makes of a text: the nonce, and the encrypted bytes with their tag at the end, both as base64url. */
export interface Encrypted {
  readonly nonce: string;
  readonly box: string;
}

/** How a text is encrypted: by a key of 256 bits, together with an associated text, which is not kept in the result. */
export interface Encryption {
  readonly key: KeyObject;
  readonly associated: string;
}

export const encrypt = (plain: Buffer, { key, associated }: Encryption): Encrypted => {
  const nonce = randomBytes(nonceBytes);
  const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(associated));
  const box = Buffer.concat([encrypting.update(plain), encrypting.final(), encrypting.getAuthTag()]);
  return { nonce: nonce.toString('base64url'), box: box.toString('base64url') };
};

/** The bytes of a base64url text; undefined if the text is not exactly what these bytes are written as. */
const bytesOf = (text: unknown): Buffer | undefined => {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** The bytes that were encrypted; undefined if the key, the associated text, the nonce or the box is another. */
export const decrypt = ({ nonce, box }: Encrypted, { key, associated }: Encryption): Buffer | undefined => {
  const [start, bytes] = [bytesOf(nonce), bytesOf(box)];
  if (start?.length !== nonceBytes || bytes === undefined || bytes.length < tagBytes) return undefined;
  const decrypting = createDecipheriv(cipher, key, start, { authTagLength: tagBytes })
    .setAAD(Buffer.from(associated))
    .setAuthTag(bytes.subarray(-tagBytes));
  const plain = decrypting.update(bytes.subarray(0, -tagBytes));
  try {
    return Buffer.concat([plain, decrypting.final()]);
  } catch {
    return undefined;
  }
};
