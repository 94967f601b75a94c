import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { SecretError } from './secret-error.ts';

/** The key that wraps the data keys. It is never stored with them. */
export interface MasterKey {
  /** 16 hexadecimal digits that distinguish master keys and say nothing of their bytes. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The master key, and the one before it while a rotation is under way. */
export interface MasterKeys {
  readonly masterKey: MasterKey;
  readonly previousMasterKey?: MasterKey;
}

const keyBytes = 32;

const readMasterKey = (bytes: Buffer): MasterKey => ({
  id: createHmac('sha256', bytes).update('The id of a master key').digest('hex').slice(0, 16),
  key: createSecretKey(bytes),
});

/** A new random master key. */
export const newMasterKey = (): MasterKey => readMasterKey(randomBytes(keyBytes));

/** The master key as `masterKeyFrom` reads it. It is a secret. */
export const masterKeyText = ({ key }: MasterKey): string => key.export().toString('base64');

/** The bytes that a text writes; undefined unless the text is exactly how one of the encodings writes 32 bytes. */
const findBytes = (text: string): Buffer | undefined => {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const unpadded = text.replace(/=$/, '');
  return (['base64', 'base64url'] as const)
    .map((encoding) => ({ bytes: Buffer.from(unpadded, encoding), encoding }))
    .find(({ bytes, encoding }) => bytes.toString(encoding).replace(/=$/, '') === unpadded && bytes.length === keyBytes)
    ?.bytes;
};

/** Whether `masterKeyFrom` would read a text. */
export const isMasterKey = (text: string): boolean => findBytes(text.trim()) !== undefined;

/** Why a text is no master key, in words that do not repeat any of it. */
const toFault = (text: string): string => {
  if (text === '') return 'it is empty';
  if (![43, 44, 64].includes(text.length)) return `it has ${text.length} characters`;
  if (/[^\w+/=-]/.test(text)) return 'it has a character that none of these has';
  return 'it is none of these';
};

/**
 * Reads a master key: 32 bytes as base64, base64url or hexadecimal digits; white space around it is ignored. Throws a
 * `SecretError` that calls the text by `name` and repeats nothing of it.
 */
export const masterKeyFrom = (text: string, name = 'The master key'): MasterKey => {
  const trimmed = text.trim();
  const bytes = findBytes(trimmed);
  if (bytes !== undefined) return readMasterKey(bytes);
  throw new SecretError(
    `${name} must be 32 bytes as base64 or base64url (43 or 44 characters) or as 64 hexadecimal digits, but ${toFault(trimmed)}: make one with \`openssl rand -base64 32\`.`,
  );
};
