import { randomUUID } from 'node:crypto';
import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText } from '../../../../../schema/json/loose.ts';
import { headerValue } from '../../../../sdk/http/http.ts';
import { headerFault } from '../../../kernel/requests/header-fault.ts';
import type { Account, ProviderRequest } from '../account.ts';
import type { CopiedFile } from '../file-copies.ts';

/** An object in the storage of a cloud. */
export interface StoredObject {
  readonly bucket: string;
  /** Of unreserved characters and `/`. */
  readonly key: string;
}

/** How an object is written. */
export interface WriteOptions {
  /** What is kept with it: at most 1,500 bytes of JSON. */
  readonly note?: JsonObject;
  /** Whether one that is there already is refused with the status 412, and not replaced; Cloud Storage cannot. */
  readonly isNew?: boolean;
}

/** What a storage says of an object. */
interface ObjectHead {
  readonly bytes: number;
  /** What was kept with it; empty if nothing was. */
  readonly note: JsonObject;
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
  head(account: Account, at: StoredObject): Promise<ObjectHead>;
  /** Deletes an object, which may be gone already. */
  remove(account: Account, at: StoredObject): Promise<void>;
  /** The objects whose keys begin with that of `at`. */
  list(account: Account, at: StoredObject): AsyncIterable<StoredObject>;
}

export const toAddress = ({ scheme }: CloudStorage, { bucket, key }: StoredObject): string =>
  `${scheme}://${bucket}/${key}`;

/** The object, or folder, that an address stands for; undefined if it is none of this storage. */
export const objectAt = ({ scheme, isBucket }: CloudStorage, address: string): StoredObject | undefined => {
  const [, found, bucket = '', key = ''] = /^([a-z0-9]+):\/\/([^/]+)\/(.*)$/s.exec(address) ?? [];
  return found === scheme && isBucket(bucket) ? { bucket, key } : undefined;
};

/** Whether a text can be the key of an object that clients name: unreserved characters in segments, none of them `.` or `..`. */
export const isKey = (text: string): boolean =>
  text.split('/').every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..');

/** What clients call an object: its address, percent-encoded, so that it is one segment of a path. */
export const toFileId = (storage: CloudStorage, object: StoredObject): string =>
  encodeURIComponent(toAddress(storage, object));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
};

/** The object of an id that is encoded once, twice or not at all; undefined if it is none that clients can name. */
export const objectOfId = (storage: CloudStorage, id: string): StoredObject | undefined => {
  for (const address of [id, decoded(id), decoded(decoded(id))]) {
    const object = objectAt(storage, address);
    if (object !== undefined) return isKey(object.key) ? object : undefined;
  }
  return undefined;
};

const findProblem = (
  { setting, header, isBucket }: CloudStorage,
  { slug }: Account,
  { own, named }: { readonly own: string; readonly named: string },
): Pick<InputProblem, 'message' | 'hint'> | undefined => {
  if (own !== '' && named !== '' && own !== named)
    return {
      message: `The provider "${slug}" keeps the files of its jobs in the bucket "${own}", and in no other.`,
      hint: `Leave the header ${header} out.`,
    };
  const bucket = own === '' ? named : own;
  if (bucket === '')
    return {
      message: `Nothing says which bucket has the files of the jobs of "${slug}".`,
      hint: `Name one with the header ${header}, or in the setting ${setting} of the provider.`,
    };
  return isBucket(bucket)
    ? undefined
    : { message: `"${bucket.slice(0, 255)}" is not the name of a bucket.`, hint: 'Write its name alone.' };
};

/**
 * The bucket for the files of jobs: that of the account's settings, or else the one that the request names. Throws the
 * `GatewayError` `invalid-input` if there is none, and for a request that names another than the settings.
 */
export const toBucket = (storage: CloudStorage, account: Account): string => {
  const own = findText(account.settings[storage.setting]) ?? '';
  const named = headerValue(account.headers, storage.header)?.trim() ?? '';
  const problem = findProblem(storage, account, { own, named });
  if (problem !== undefined) throw headerFault(storage.header, problem.message, problem.hint);
  return own === '' ? named : own;
};

/** How copies of the gateway's files are kept in the storage of an account. */
interface StoredFiles {
  /** What the addresses of copies begin with. Throws the `GatewayError` `invalid-input` without a bucket. */
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
