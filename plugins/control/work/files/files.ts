import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { ByteRange } from '../../kernel/blobs/blob-storage.ts';
import type { BlobRef } from '../../kernel/blobs/blobs.ts';
import { lacksNulCharacters, type Reading } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { FileRow } from '../../kernel/store/tables.ts';

/** A file of a workspace. Times are milliseconds since the epoch. */
export interface StoredFile {
  /** `gw-file-…`. */
  readonly id: string;
  readonly bytes: number;
  readonly filename: string;
  readonly purpose: string;
  readonly createdAt: number;
  /** The time when the file expires. */
  readonly expiresAt?: number;
  /** The id of the key that created the file. */
  readonly createdBy?: string;
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export interface FileAbout {
  readonly purpose: string;
  readonly filename: string;
  readonly createdBy?: string;
  /** How long the file is stored, in milliseconds; permanently if absent. */
  readonly keepMs?: number;
}

/** A page of files, ordered by creation time. */
export interface FilePage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The id before the first file of the page. */
  readonly after?: string | undefined;
  readonly purpose?: string | undefined;
}

/** The files of a page, and whether more follow. */
interface FileList {
  readonly files: readonly StoredFile[];
  readonly hasMore: boolean;
}

/** Names what currently reads a file, for people: `the batch gw-batch-…`. Reads with `db`, so that nothing changes meanwhile. */
export type FileUsers = (tenant: TenantId, id: string, db: Store['db'] | Writing) => Promise<readonly string[]>;

/** Writes the consequences of a file's removal. */
export type FileRemoval = (tenant: TenantId, id: string, writing: Writing) => Promise<void>;

/** The files of workspaces, sealed at rest. Methods reject with a `GatewayError`, `BlobError`, `SecretError` or `StoreError`. */
export interface Files {
  find(tenant: TenantId, id: string): Promise<StoredFile | undefined>;
  list(tenant: TenantId, page: FilePage): Promise<FileList>;
  /** Reads a file, even an expired one while its bytes exist. Throws the `GatewayError` `not-found` if it is gone. */
  read(tenant: TenantId, id: string, range?: ByteRange): AsyncIterable<Buffer>;
  /**
   * Stores all of the bytes, or nothing if they break off. Size and quota are not limited, because the results of jobs must not
   * be lost.
   */
  keep(tenant: TenantId, about: FileAbout, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile>;
  /** Removes a file, and resolves to whether it existed. Rejects with the `GatewayError` `conflict` while something reads it. */
  remove(tenant: TenantId, id: string): Promise<boolean>;
  /** Registers a function that is called before a file is removed. */
  registerUses(uses: FileUsers): void;
  /** Registers a function that runs in every transaction that removes a file. */
  onRemoval(run: FileRemoval): void;
}

/** Converts a row to its file and the reference to its bytes. */
export const toFound = (row: FileRow): { readonly file: StoredFile; readonly blob: BlobRef } => {
  const { id, workspace_id, bytes, blob_id, blob_key, sha256, expires_at, created_by } = row;
  const sum = sha256 ?? '';
  return {
    file: {
      ...{ id, bytes, filename: row.filename, purpose: row.purpose, createdAt: row.created_at, sha256: sum },
      ...(expires_at === null ? {} : { expiresAt: expires_at }),
      ...(created_by === null ? {} : { createdBy: created_by }),
    },
    blob: { id: blob_id ?? '', tenant: workspace_id, key: blob_key ?? '', bytes, sha256: sum },
  };
};

const selectKept = (db: Reading, tenant: TenantId, now: number) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('state', '=', 'kept')
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

/** Finds a file that has not expired at a time. */
export const findFile = async (
  db: Reading,
  { tenant, now }: { readonly tenant: TenantId; readonly now: number },
  id: string,
): Promise<ReturnType<typeof toFound> | undefined> => {
  const row = lacksNulCharacters(id)
    ? await selectKept(db, tenant, now).where('id', '=', id).executeTakeFirst()
    : undefined;
  return row && toFound(row);
};

/** Lists the files that have not expired at a time, in the order of their ids, which increase. */
export const listFiles = async (
  db: Reading,
  { tenant, now }: { readonly tenant: TenantId; readonly now: number },
  { limit, order, after, purpose }: FilePage,
): Promise<FileList> => {
  const rows = await selectKept(db, tenant, now)
    .$if(after !== undefined, (query) => query.where('id', order === 'asc' ? '>' : '<', after ?? ''))
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose ?? ''))
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return { files: rows.slice(0, limit).map((row) => toFound(row).file), hasMore: rows.length > limit };
};

/** Counts the bytes of all files of a workspace except one, including what uploads have reserved. */
export const bytesBeside = async (db: Reading, tenant: TenantId, id: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.sum<number | string | bigint | null>('bytes').as('bytes'))
    .where('workspace_id', '=', tenant)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
};

export const insertFile = (writing: Writing, row: FileRow): Promise<unknown> =>
  writing.insertInto('files').values(row).execute();

/** Updates a file, and resolves to whether it existed. */
export const updateFile = async (
  writing: Writing,
  { tenant, id }: { readonly tenant: TenantId; readonly id: string },
  change: Partial<FileRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await writing
    .updateTable('files')
    .set(change)
    .where('workspace_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const deleteFile = (writing: Writing, tenant: TenantId, id: string): Promise<unknown> =>
  writing.deleteFrom('files').where('workspace_id', '=', tenant).where('id', '=', id).execute();

export const deleteInterrupted = (writing: Writing, before: number): Promise<unknown> =>
  writing.deleteFrom('files').where('state', '=', 'uploading').where('created_at', '<', before).execute();

/** Lists some expired files, each with its workspace. */
export const expiredFiles = (
  db: Reading,
  now: number,
  after: string,
): Promise<readonly Pick<FileRow, 'id' | 'workspace_id'>[]> =>
  db
    .selectFrom('files')
    .select(['id', 'workspace_id'])
    .where('expires_at', '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(100)
    .execute();
