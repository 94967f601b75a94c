import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { ByteRange } from '../blobs/blob-storage.ts';

/** A file of a workspace. Times are milliseconds since the epoch. */
export interface StoredFile {
  /** `gw-file-…`. */
  readonly id: string;
  readonly bytes: number;
  readonly filename: string;
  readonly purpose: string;
  readonly createdAt: number;
  /** The time from which on it does not exist any more. */
  readonly expiresAt?: number;
  /** The id of the key with which it was made. */
  readonly createdBy?: string;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export interface FileAbout {
  readonly purpose: string;
  readonly filename: string;
  readonly createdBy?: string;
  /** Milliseconds for which it is kept; for good if absent. */
  readonly keepMs?: number;
}

/** A page of files, by the time of their creation. */
export interface FilePage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The id before the first. */
  readonly after?: string | undefined;
  readonly purpose?: string | undefined;
}

/** Names what reads a file now, for people: `the batch gw-batch-…`. Read by `db`, so that nothing changes meanwhile. */
export type UsesOfFile = (tenant: TenantId, id: string, db: Store['db'] | Writing) => Promise<readonly string[]>;

/** Writes what follows from the removal of a file. */
export type FileRemoval = (tenant: TenantId, id: string, writing: Writing) => Promise<void>;

/**
 * The files of workspaces, sealed at rest. Methods reject with a `GatewayError`, `BlobError`, `SecretError` or `StoreError`.
 */
export interface Files {
  find(tenant: TenantId, id: string): Promise<StoredFile | undefined>;
  list(tenant: TenantId, page: FilePage): Promise<{ readonly files: readonly StoredFile[]; readonly hasMore: boolean }>;
  /** Reads one whose time is over too, while its bytes are there. Throws the `GatewayError` `not-found` for one that is gone. */
  read(tenant: TenantId, id: string, range?: ByteRange): AsyncIterable<Buffer>;
  /**
   * Keeps all of the bytes, or, where they break off, nothing. They may be as many as they are, and the quota is not asked:
   * what jobs have done must not be lost.
   */
  keep(tenant: TenantId, about: FileAbout, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile>;
  /** Resolves to whether it existed. Rejects with the `GatewayError` `conflict` while something reads it. */
  remove(tenant: TenantId, id: string): Promise<boolean>;
  /** Asks this before a file is removed. */
  addUses(uses: UsesOfFile): void;
  /** Runs this in the transaction that removes a file, whoever does. */
  onRemoval(run: FileRemoval): void;
}
