import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { Account, ProviderRequest } from '../account.ts';

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
export interface ObjectHead {
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
