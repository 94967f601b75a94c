import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { percentDecoded } from '../../../../../schema/text/percent-decoded.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import { headerError } from '../../../kernel/requests/refusals.ts';
import type { Account, ProviderRequest } from '../account.ts';
import type { CopiedFile } from '../file-copies.ts';

/** An object in the storage of a cloud. */
export interface StoredObject {
  readonly bucket: string;
  /** The key, in unreserved characters and `/`. */
  readonly key: string;
}

/** Options for writing an object. */
export interface WriteOptions {
  /** A note that is stored with the object: at most 1,500 bytes of JSON. */
  readonly note?: JsonObject;
  /**
   * Whether an object that already exists is refused with the status 412 instead of being replaced; Cloud Storage does not
   * support this.
   */
  readonly isNew?: boolean;
}

/**
 * The storage of a cloud, where providers read the files of jobs and write their results. Requests go through the data path with
 * the credential of the account. A refusal is thrown as a `ProviderRefusal`.
 */
export interface CloudStorage {
  /** The scheme of its addresses: `s3://bucket/key`. */
  readonly scheme: 's3' | 'gs';
  /** The account setting that names the bucket. */
  readonly setting: string;
  /** The header that names the bucket if the account does not. */
  readonly header: string;
  isBucket(name: string): boolean;
  write(account: Account, at: StoredObject, bytes: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
  /** Creates the request that reads an object. */
  reading(at: StoredObject): ProviderRequest;
  head(
    account: Account,
    at: StoredObject,
  ): Promise<{
    readonly bytes: number;
    /** The note that was stored with the object; empty if there is none. */
    readonly note: JsonObject;
  }>;
  /** Deletes an object; does nothing if it is already gone. */
  remove(account: Account, at: StoredObject): Promise<void>;
  /** Lists the objects whose keys begin with that of `at`. */
  list(account: Account, at: StoredObject): AsyncIterable<StoredObject>;
}

export const toAddress = ({ scheme }: CloudStorage, { bucket, key }: StoredObject): string =>
  `${scheme}://${bucket}/${key}`;

/** Checks whether a key can be encoded into the path of an object without reaching another object or another bucket. */
export const hasPath = (key: string): boolean =>
  key.isWellFormed() && key.split('/').every((segment) => segment !== '.' && segment !== '..');

/** Finds the object or folder at an address; undefined if the address is not in this storage. */
export const objectAt = ({ scheme, isBucket }: CloudStorage, address: string): StoredObject | undefined => {
  const [, found, bucket = '', key = ''] = /^([a-z0-9]+):\/\/([^/]+)\/(.*)$/s.exec(address) ?? [];
  return found === scheme && isBucket(bucket) && hasPath(key) ? { bucket, key } : undefined;
};

/**
 * Checks whether a text can be the key of an object that clients name: segments of unreserved characters, none of them `.` or
 * `..`.
 */
export const isKey = (text: string): boolean =>
  hasPath(text) && text.split('/').every((segment) => /^[\w.~-]+$/.test(segment));

/** Returns the id that clients use for an object: its address, percent-encoded so that it is one path segment. */
export const toFileId = (storage: CloudStorage, object: StoredObject): string =>
  encodeURIComponent(toAddress(storage, object));

const decoded = (text: string): string => percentDecoded(text) ?? '';

/** Finds the object with an id that is encoded once, twice or not at all; undefined if clients cannot name it. */
export const objectOfId = (storage: CloudStorage, id: string): StoredObject | undefined => {
  for (const address of [id, decoded(id), decoded(decoded(id))]) {
    const object = objectAt(storage, address);
    if (object !== undefined) return isKey(object.key) ? object : undefined;
  }
  return undefined;
};

/**
 * Reads a value from the settings of an account, or else from a header of its request. Throws the `GatewayError` `invalid-input`
 * if both exist and differ.
 */
export const settingOrHeader = (
  { settings, headers }: Account,
  { setting, header }: Pick<CloudStorage, 'setting' | 'header'>,
  refusal: (own: string) => string,
): string => {
  const own = findText(settings[setting]) ?? '';
  const named = headerValue(headers, header)?.trim() ?? '';
  if (own !== '' && named !== '' && own !== named)
    throw headerError(header, refusal(own), `Omit the header ${header}.`);
  return own === '' ? named : own;
};

/**
 * Returns the bucket for the files of jobs: the bucket in the account's settings, or else the one that the request names. Throws
 * the `GatewayError` `invalid-input` if there is none, or if the request names a different bucket than the settings.
 */
export const toBucket = (storage: CloudStorage, account: Account): string => {
  const { setting, header, isBucket } = storage;
  const { slug } = account;
  const bucket = settingOrHeader(
    account,
    storage,
    (own) => `The provider "${slug}" stores its job files only in the bucket "${own}".`,
  );
  if (bucket === '')
    throw headerError(
      header,
      `No bucket is set for the job files of "${slug}".`,
      `Name one with the header ${header}, or in the setting ${setting} of the provider.`,
    );
  if (!isBucket(bucket))
    throw headerError(
      header,
      `"${bucket.slice(0, 255)}" is not the name of a bucket.`,
      'Send only the name of a bucket.',
    );
  return bucket;
};

/** Copies of the gateway's files in the storage of an account. */
interface StoredFiles {
  /** Returns the prefix of the addresses of copies. Throws the `GatewayError` `invalid-input` without a bucket. */
  toPlace(account: Account): string;
  /** Copies a file, and resolves to its address. */
  upload(file: CopiedFile, account: Account): Promise<string>;
}

const folder = 'gatewright/files/';

export const storedFiles = (storage: CloudStorage): StoredFiles => ({
  toPlace: (account) => toAddress(storage, { bucket: toBucket(storage, account), key: folder }),
  async upload(file, account) {
    const object = { bucket: toBucket(storage, account), key: `${folder}${randomUUID()}/file.jsonl` };
    await storage.write(account, object, file.read());
    return toAddress(storage, object);
  },
});
