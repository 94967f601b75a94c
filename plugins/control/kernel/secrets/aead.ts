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

/** By how many bytes the encrypted bytes are longer than the plain ones. */
export const encryptionOverhead: number = nonceBytes + tagBytes;

/** The nonce, the encrypted bytes, and their tag. */
export const encryptBytes = (plain: Uint8Array, { key, associated }: Encryption): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(associated));
  return Buffer.concat([nonce, encrypting.update(plain), encrypting.final(), encrypting.getAuthTag()]);
};

/** The bytes that were encrypted; undefined if the key, the associated text or one of the bytes is another. */
export const decryptBytes = (encrypted: Uint8Array, { key, associated }: Encryption): Buffer | undefined => {
  if (encrypted.length < encryptionOverhead) return undefined;
  const decrypting = createDecipheriv(cipher, key, encrypted.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(associated))
    .setAuthTag(encrypted.subarray(-tagBytes));
  const plain = decrypting.update(encrypted.subarray(nonceBytes, -tagBytes));
  try {
    decrypting.final();
    return plain;
  } catch {
    return undefined;
  }
};

export const encrypt = (plain: Buffer, encryption: Encryption): Encrypted => {
  const encrypted = encryptBytes(plain, encryption);
  return {
    nonce: encrypted.subarray(0, nonceBytes).toString('base64url'),
    box: encrypted.subarray(nonceBytes).toString('base64url'),
  };
};

/** The bytes of a base64url text; undefined if the text is not exactly what these bytes are written as. */
const findBytes = (text: unknown): Buffer | undefined => {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** The bytes that were encrypted; undefined if the key, the associated text, the nonce or the box is another. */
export const decrypt = ({ nonce, box }: Encrypted, encryption: Encryption): Buffer | undefined => {
  const [start, bytes] = [findBytes(nonce), findBytes(box)];
  if (start?.length !== nonceBytes || bytes === undefined) return undefined;
  return decryptBytes(Buffer.concat([start, bytes]), encryption);
};
