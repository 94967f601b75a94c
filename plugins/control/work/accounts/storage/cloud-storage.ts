import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import { headerError } from '../../../kernel/requests/refusals.ts';
import type { Account, ProviderRequest } from '../account.ts';
import type { CopiedFile } from '../file-copies.ts';

/** An object in the storage of a cloud. */
export interface StoredObject {
  readonly bucket: string;
  /** Of unreserved characters and `/`. */
  readonly key: string;
}

/** The options of writing an object. */
export interface WriteOptions {
  /** A note that is stored with it: at most 1,500 bytes of JSON. */
  readonly note?: JsonObject;
  /** Whether one that exists already is refused with the status 412, and not replaced; Cloud Storage cannot. */
  readonly isNew?: boolean;
}

/**
 * The storage of a cloud, where providers read the files of jobs and write their results. Requests go through the data path
 * with the credential of the account; what is refused is thrown as a `ProviderRefusal`.
 */
export interface CloudStorage {
  /** Of its addresses: `s3://bucket/key`. */
  readonly scheme: 's3' | 'gs';
  /** The setting of an account that names the bucket. */
  readonly setting: string;
  /** The header that does, where the account does not. */
  readonly header: string;
  isBucket(name: string): boolean;
  write(account: Account, at: StoredObject, bytes: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
  /** The request whose answer is an object. */
  reading(at: StoredObject): ProviderRequest;
  head(
    account: Account,
    at: StoredObject,
  ): Promise<{
    readonly bytes: number;
    /** The note that was stored with it; empty if none was. */
    readonly note: JsonObject;
  }>;
  /** Deletes an object, which may be gone already. */
  remove(account: Account, at: StoredObject): Promise<void>;
  /** The objects whose keys begin with that of `at`. */
  list(account: Account, at: StoredObject): AsyncIterable<StoredObject>;
}

export const toAddress = ({ scheme }: CloudStorage, { bucket, key }: StoredObject): string =>
  `${scheme}://${bucket}/${key}`;

/** Checks whether the path of an object can have a key, encoded: of no other object, and of no other bucket. */
export const hasPath = (key: string): boolean =>
  key.isWellFormed() && key.split('/').every((segment) => segment !== '.' && segment !== '..');

/** Finds the object, or folder, that an address stands for; undefined if it is none of this storage. */
export const objectAt = ({ scheme, isBucket }: CloudStorage, address: string): StoredObject | undefined => {
  const [, found, bucket = '', key = ''] = /^([a-z0-9]+):\/\/([^/]+)\/(.*)$/s.exec(address) ?? [];
  return found === scheme && isBucket(bucket) && hasPath(key) ? { bucket, key } : undefined;
};

/** Checks whether a text can be the key of an object that clients name: unreserved characters in segments, none of them `.` or `..`. */
export const isKey = (text: string): boolean =>
  hasPath(text) && text.split('/').every((segment) => /^[\w.~-]+$/.test(segment));

/** Writes the id that clients have of an object: its address, percent-encoded, so that it is one segment of a path. */
export const toFileId = (storage: CloudStorage, object: StoredObject): string =>
  encodeURIComponent(toAddress(storage, object));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** Finds the object of an id that is encoded once, twice or not at all; undefined if it is none that clients can name. */
export const objectOfId = (storage: CloudStorage, id: string): StoredObject | undefined => {
  for (const address of [id, decoded(id), decoded(decoded(id))]) {
    const object = objectAt(storage, address);
    if (object !== undefined) return isKey(object.key) ? object : undefined;
  }
  return undefined;
};

/**
 * Reads what the settings of an account say, or else the header of its request. Throws the `GatewayError` `invalid-input` for a
 * request that says otherwise than the settings.
 */
export const settingOrHeader = (
  { settings, headers }: Account,
  { setting, header }: Pick<CloudStorage, 'setting' | 'header'>,
  refusal: (own: string) => string,
): string => {
  const own = findText(settings[setting]) ?? '';
  const named = headerValue(headers, header)?.trim() ?? '';
  if (own !== '' && named !== '' && own !== named)
    throw headerError(header, refusal(own), `Leave the header ${header} out.`);
  return own === '' ? named : own;
};

/**
 * Finds the bucket for the files of jobs: that of the account's settings, or else the one that the request names. Throws the
 * `GatewayError` `invalid-input` if there is none, and for a request that names another than the settings.
 */
export const toBucket = (storage: CloudStorage, account: Account): string => {
  const { setting, header, isBucket } = storage;
  const { slug } = account;
  const bucket = settingOrHeader(
    account,
    storage,
    (own) => `The provider "${slug}" keeps the files of its jobs in the bucket "${own}", and in no other.`,
  );
  if (bucket === '')
    throw headerError(
      header,
      `Nothing says which bucket has the files of the jobs of "${slug}".`,
      `Name one with the header ${header}, or in the setting ${setting} of the provider.`,
    );
  if (!isBucket(bucket))
    throw headerError(header, `"${bucket.slice(0, 255)}" is not the name of a bucket.`, 'Write its name alone.');
  return bucket;
};

/** Copies of the gateway's files in the storage of an account. */
interface StoredFiles {
  /** Writes what the addresses of copies begin with. Throws the `GatewayError` `invalid-input` without a bucket. */
  toPlace(account: Account): string;
  /** Copies a file; resolves to its address. */
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
