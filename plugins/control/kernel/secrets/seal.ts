import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';

/**
 * Thrown if a secret cannot be sealed or opened, or if a master key cannot be used. The message is a sentence that states the
 * problem and what to do. It never contains a secret, or a byte of a key.
 */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Thrown if a value is wrapped by a master key that this process does not have. */
export class UnknownMasterError extends SecretError {}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** A text encrypted with AES-256-GCM: the nonce, and the encrypted bytes followed by their tag, both as base64url. */
export interface Encrypted {
  readonly nonce: string;
  readonly box: string;
}

/** How a text is encrypted: with a 256-bit key and an associated text, which is not part of the result. */
export interface Encryption {
  readonly key: KeyObject;
  readonly associated: string;
}

/** How many bytes longer the encrypted bytes are than the plain ones. */
export const encryptionOverhead: number = nonceBytes + tagBytes;

/** Returns the nonce, the encrypted bytes, and their tag. */
const encryptBytes = (plain: Uint8Array, { key, associated }: Encryption): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const encrypting = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(associated));
  return Buffer.concat([nonce, encrypting.update(plain), encrypting.final(), encrypting.getAuthTag()]);
};

/** Decrypts bytes; returns undefined if the key, the associated text or any of the bytes is different. */
const decryptBytes = (encrypted: Uint8Array, { key, associated }: Encryption): Buffer | undefined => {
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

/** Decodes a base64url text; returns undefined if the text is not the exact encoding of its bytes. */
const findBytes = (text: unknown): Buffer | undefined => {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** Decrypts; returns undefined if the key, the associated text, the nonce or the box is different. */
export const decrypt = ({ nonce, box }: Encrypted, encryption: Encryption): Buffer | undefined => {
  const [start, bytes] = [findBytes(nonce), findBytes(box)];
  if (start?.length !== nonceBytes || bytes === undefined) return undefined;
  return decryptBytes(Buffer.concat([start, bytes]), encryption);
};

/** A secret as stored. It is JSON. */
export interface Sealed extends Encrypted {
  readonly v: 1;
  /** The id of the data key that opens it. */
  readonly key: string;
}

/** The only place where a sealed secret can be opened. */
export interface SealedAt {
  /** The id of the workspace, or of the organisation if the record belongs to no workspace. */
  readonly tenant: string;
  readonly table: string;
  /** The id of the record. */
  readonly id: string;
  /** The column and, if it contains several secrets, the JSON Pointer in it. */
  readonly field: string;
}

/** A secret of a saved record, and the place that it was sealed for. */
export interface SealedSecret {
  readonly sealed: Sealed;
  readonly at: SealedAt;
  /** Whether it is a value as JSON, as `sealLiterals` seals it; a text if absent. */
  readonly isJson?: boolean;
}

/** A 256-bit key that the secrets of one tenant are sealed with. */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

const associatedWith = ({ tenant, table, id, field }: SealedAt): string => canonicalJson({ tenant, table, id, field });

/** Seals a text. It is written as JSON, because UTF-8 alone would lose half a surrogate pair. */
export const seal = (plain: string, at: SealedAt, { id, key }: DataKey): Sealed => ({
  v: 1,
  key: id,
  ...encrypt(Buffer.from(JSON.stringify(plain)), { key, associated: associatedWith(at) }),
});

const changed = ({ field, id, table }: SealedAt): SecretError =>
  new SecretError(
    `The secret in the field ${field} of the record ${id} of ${table} cannot be opened, because it was changed or belongs to another record: save it again.`,
  );

/** Returns the id of the data key that opens a secret. Throws a `SecretError` if a column does not contain a secret. */
export const dataKeyOf = (sealed: unknown, at: SealedAt): string => {
  const key = typeof sealed === 'object' && sealed !== null && 'key' in sealed ? sealed.key : undefined;
  if (typeof key === 'string') return key;
  throw changed(at);
};

/**
 * Returns the text that was sealed. Throws a `SecretError` if it was sealed for another place or with another key, or was
 * changed.
 */
export const open = (sealed: Sealed, at: SealedAt, { id, key }: DataKey): string => {
  const same = sealed.v === 1 && sealed.key === id;
  const plain = same ? decrypt(sealed, { key, associated: associatedWith(at) }) : undefined;
  if (plain !== undefined) return fromJson(plain.toString());
  throw changed(at);
};

/** The only place where a sealed part of a record's bytes can be opened. */
export interface SealedPartAt extends SealedAt {
  /** The zero-based number of the part. */
  readonly chunk: number;
  /** Whether this is the last part. */
  readonly isLast: boolean;
}

const associatedWithPart = ({ tenant, table, id, field, chunk, isLast }: SealedPartAt): string =>
  canonicalJson({ tenant, table, id, field, chunk, isLast });

/** Seals one part of a record's bytes; the result is longer by `encryptionOverhead`. */
export const sealPart = (plain: Uint8Array, at: SealedPartAt, { key }: DataKey): Buffer =>
  encryptBytes(plain, { key, associated: associatedWithPart(at) });

/**
 * Returns the part that was sealed. Throws a `SecretError` if it was sealed for another place or with another key, or was
 * changed.
 */
export const openPart = (sealed: Uint8Array, at: SealedPartAt, { key }: DataKey): Buffer => {
  const plain = decryptBytes(sealed, { key, associated: associatedWithPart(at) });
  if (plain !== undefined) return plain;
  throw new SecretError(
    `The part ${at.chunk} of the field ${at.field} of the record ${at.id} of ${at.table} cannot be opened, because it was changed or belongs elsewhere: restore it from a copy.`,
  );
};
