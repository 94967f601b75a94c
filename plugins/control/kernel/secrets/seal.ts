import type { KeyObject } from 'node:crypto';
import { canonicalJson } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { decrypt, decryptBytes, type Encrypted, encrypt, encryptBytes } from './aead.ts';
import { SecretError } from './secret-error.ts';

/** A secret as the store keeps it. It is JSON. */
export interface Sealed extends Encrypted {
  readonly v: 1;
  /** The id of the data key that opens it. */
  readonly key: string;
}

/** The one place where a sealed secret opens. */
export interface SealedAt {
  /** The id of the workspace, or of the organisation for what belongs to no workspace. */
  readonly tenant: string;
  readonly table: string;
  /** The id of the record. */
  readonly id: string;
  /** The column, and where it holds several secrets, the JSON Pointer in it. */
  readonly field: string;
}

/** A key of 256 bits that the secrets of one tenant are sealed with. */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

const associatedWith = ({ tenant, table, id, field }: SealedAt): string => canonicalJson({ tenant, table, id, field });

/** Seals a text. JSON keeps what UTF-8 alone would lose: half a surrogate pair. */
export const seal = (plain: string, at: SealedAt, { id, key }: DataKey): Sealed => ({
  v: 1,
  key: id,
  ...encrypt(Buffer.from(JSON.stringify(plain)), { key, associated: associatedWith(at) }),
});

/** The text that was sealed. Throws a `SecretError` if it was sealed for another place or with another key, or was changed. */
export const open = (sealed: Sealed, at: SealedAt, { id, key }: DataKey): string => {
  const same = sealed.v === 1 && sealed.key === id;
  const plain = same ? decrypt(sealed, { key, associated: associatedWith(at) }) : undefined;
  if (plain !== undefined) return fromJson(plain.toString());
  throw new SecretError(
    `The secret in the field ${at.field} of the record ${at.id} of ${at.table} does not open, because it was changed or belongs to another record: save it again.`,
  );
};

/** The one place where a sealed part of a record's bytes opens. */
export interface SealedPartAt extends SealedAt {
  /** The number of the part, from 0. */
  readonly chunk: number;
  /** Whether no part follows it. */
  readonly isLast: boolean;
}

const associatedWithPart = ({ tenant, table, id, field, chunk, isLast }: SealedPartAt): string =>
  canonicalJson({ tenant, table, id, field, chunk, isLast });

/** Seals one part of a record's bytes; the result is longer by `encryptionOverhead`. */
export const sealPart = (plain: Uint8Array, at: SealedPartAt, { key }: DataKey): Buffer =>
  encryptBytes(plain, { key, associated: associatedWithPart(at) });

/** The part that was sealed. Throws a `SecretError` if it was sealed for another place or with another key, or was changed. */
export const openPart = (sealed: Uint8Array, at: SealedPartAt, { key }: DataKey): Buffer => {
  const plain = decryptBytes(sealed, { key, associated: associatedWithPart(at) });
  if (plain !== undefined) return plain;
  throw new SecretError(
    `The part ${at.chunk} of the field ${at.field} of the record ${at.id} of ${at.table} does not open, because it was changed or belongs elsewhere: restore it from a copy.`,
  );
};
