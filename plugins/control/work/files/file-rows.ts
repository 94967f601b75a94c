import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { lacksNulCharacters } from '../../kernel/records/records.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { FileRow } from '../../kernel/store/tables/tables.ts';
import type { BlobRef } from '../blobs/blobs.ts';
import type { FilePage, StoredFile } from './files.ts';

type Reading = Store['db'] | Writing;

/** A file and where its bytes are. */
export interface FoundFile {
  readonly file: StoredFile;
  readonly blob: BlobRef;
}

const toFound = (row: FileRow): FoundFile => {
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

/** Finds a file that exists at a time. */
export const findFile = async (
  db: Reading,
  { tenant, now }: { readonly tenant: TenantId; readonly now: number },
  id: string,
): Promise<FoundFile | undefined> => {
  const row = lacksNulCharacters(id)
    ? await selectKept(db, tenant, now).where('id', '=', id).executeTakeFirst()
    : undefined;
  return row && toFound(row);
};

/** Lists the files that exist at a time, by their ids, which grow. */
export const listFiles = async (
  db: Reading,
  { tenant, now }: { readonly tenant: TenantId; readonly now: number },
  { limit, order, after, purpose }: FilePage,
): Promise<readonly StoredFile[]> => {
  let query = selectKept(db, tenant, now).orderBy('id', order).limit(limit);
  if (after !== undefined) query = query.where('id', order === 'asc' ? '>' : '<', after);
  if (purpose !== undefined) query = query.where('purpose', '=', purpose);
  return (await query.execute()).map((row) => toFound(row).file);
};

/** Counts the bytes that all files of a workspace have but one, with what uploads may have. */
export const bytesBeside = async (db: Reading, tenant: TenantId, id: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.sum<number | string | bigint | null>('bytes').as('bytes'))
    .where('workspace_id', '=', tenant)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
};

export const insertFile = async (writing: Writing, row: FileRow): Promise<void> => {
  await writing.insertInto('files').values(row).execute();
};

/** Resolves to whether it existed. */
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

export const deleteFile = async (writing: Writing, tenant: TenantId, id: string): Promise<void> => {
  await writing.deleteFrom('files').where('workspace_id', '=', tenant).where('id', '=', id).execute();
};

export const deleteInterrupted = async (writing: Writing, before: number): Promise<void> => {
  await writing.deleteFrom('files').where('state', '=', 'uploading').where('created_at', '<', before).execute();
};

/** Lists some of the files whose time is over, each with its workspace. */
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
