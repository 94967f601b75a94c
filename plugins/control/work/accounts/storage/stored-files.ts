import { randomUUID } from 'node:crypto';
import type { Account } from '../account.ts';
import type { CopiedFile } from '../file-copies.ts';
import { type CloudStorage, toAddress } from './cloud-storage.ts';
import { toBucket } from './to-bucket.ts';

/** How copies of the gateway's files are kept in the storage of an account. */
export interface StoredFiles {
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
