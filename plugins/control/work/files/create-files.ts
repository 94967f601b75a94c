import { dayMs } from '../../../../schema/durations.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { CountedBytes } from '../../kernel/blobs/blob-storage.ts';
import type { BlobRef, Blobs } from '../../kernel/blobs/blobs.ts';
import { pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import { conflict, notFound } from '../../kernel/requests/refusals.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { FileRow } from '../../kernel/store/tables.ts';
import {
  bytesBeside,
  deleteFile,
  deleteInterrupted,
  expiredFiles,
  type FileAbout,
  type FileRemoval,
  type Files,
  type FileUsers,
  findFile,
  insertFile,
  listFiles,
  type StoredFile,
  toFound,
  updateFile,
} from './files.ts';

/** How many bytes of the quota a file of unknown size reserves, at first and each time that its reservation is too small. */
const stepBytes = 16 * 1024 * 1024;

/** Throws the `GatewayError` `file-too-large` if a file has too many bytes. */
export const rejectTooLarge = (bytes: number, limit: number): void => {
  if (bytes > limit) throw gatewayError('file-too-large', { limit: String(limit) });
};

interface FilesOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly blobs: Blobs;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The maximum size of one file. */
  readonly maxBytes: number;
  /** The maximum size of all files of a workspace. */
  readonly quotaBytes: number;
}

interface Incoming {
  readonly createdBy?: string | undefined;
  /** About how many bytes arrive, and never fewer than the real number; absent if it is unknown. */
  readonly expectedBytes?: number | undefined;
  /** Whether the file is refused if it is too large or exceeds the quota. */
  readonly isLimited: boolean;
}

const gone = () =>
  conflict('The workspace was deleted while the file was uploaded.', 'Send the file to an existing workspace.');

/**
 * Receives the bytes of a file, and makes it visible with its description when all of them have arrived. Rejects with the
 * `GatewayError`s `file-too-large`, `file-quota`, and `conflict` if its workspace is gone. In that case nothing is left; what
 * cannot be removed now is removed after a day.
 */
const receiveFile = async (
  { store, blobs, now, maxBytes, quotaBytes }: FilesOptions,
  { tenant, expectedBytes, isLimited, createdBy }: Incoming & { readonly tenant: TenantId },
  bytes: AsyncIterable<Uint8Array>,
  readAbout: () => FileAbout,
): Promise<StoredFile> => {
  const createdAt = now();
  const id = `gw-file-${newId(createdAt)}`;
  const max = isLimited ? maxBytes : Number.POSITIVE_INFINITY;
  // A file that is never refused counts once it is complete. Until then it takes no room from files that can be refused.
  let reserved = isLimited ? Math.min(expectedBytes ?? stepBytes, max) : 0;

  const row: FileRow = {
    ...{ id, workspace_id: tenant, purpose: '', filename: '', bytes: reserved, state: 'uploading' },
    ...{ blob_id: null, blob_key: null, sha256: null, created_by: createdBy ?? null },
    ...{ created_at: createdAt, expires_at: null },
  };

  const reserve = (isNew: boolean): Promise<void> =>
    store.write(async (writing) => {
      const used = isLimited ? await bytesBeside(writing, tenant, id) : 0;
      if (used + reserved > quotaBytes && isLimited)
        throw gatewayError('file-quota', { quota: String(quotaBytes), used: String(used) });
      if (isNew) await insertFile(writing, row);
      else if (!(await updateFile(writing, { tenant, id }, { bytes: reserved }))) throw gone();
    });

  const counted = new CountedBytes(bytes, async (count) => {
    rejectTooLarge(count, max);
    if (isLimited && count > reserved) {
      reserved = Math.min(count + stepBytes, max);
      await reserve(false);
    }
  });

  await reserve(true);
  let blob: BlobRef | undefined;
  try {
    const ref = await blobs.write({ tenant, isProvisional: true }, counted);
    blob = ref;
    const { purpose, filename, keepMs } = readAbout();
    const kept: FileRow = {
      ...{ ...row, purpose, filename, bytes: ref.bytes, state: 'kept', sha256: ref.sha256 },
      ...{ blob_id: ref.id, blob_key: ref.key, expires_at: keepMs === undefined ? null : createdAt + keepMs },
    };
    await store.write(async (writing) => {
      if (!(await updateFile(writing, { tenant, id }, kept))) throw gone();
      await blobs.keep(writing, ref);
    });
    return toFound(kept).file;
  } catch (error) {
    await Promise.allSettled([store.write((writing) => deleteFile(writing, tenant, id)), blob && blobs.remove(blob)]);
    throw error;
  }
};

/** The files of workspaces, and what the gateway itself does with them. */
export interface StoredFiles extends Files {
  /** Receives a file. `readAbout` returns its description when all bytes have arrived. If it rejects, nothing is left. */
  receive(
    tenant: TenantId,
    incoming: Incoming,
    bytes: AsyncIterable<Uint8Array>,
    readAbout: () => FileAbout,
  ): Promise<StoredFile>;
  /** Removes expired files, and what interrupted uploads left behind at least a day ago. */
  sweep(isOver: () => boolean): Promise<void>;
}

export const unknownFile = (id: string): GatewayError => notFound('file', id, 'GET /v1/files with x-gw-provider: gw');

/** Opens the files of all workspaces. */
export const createFiles = (options: FilesOptions): StoredFiles => {
  const { store, blobs, now } = options;
  const allUses: FileUsers[] = [];
  const removals: FileRemoval[] = [];

  /** Deletes the row of a file, expired or not; undefined if there is none. */
  const forget = (tenant: TenantId, id: string, at: number): Promise<BlobRef | undefined> =>
    store.write(async (writing) => {
      const found = await findFile(writing, { tenant, now: at }, id);
      if (found === undefined) return undefined;
      const [use] = (await Promise.all(allUses.map((uses) => uses(tenant, id, writing)))).flat();
      if (use !== undefined)
        throw conflict(
          `The file ${id} cannot be deleted while ${use} reads it.`,
          'Cancel that job, or wait until it has ended.',
        );
      for (const run of removals) await run(tenant, id, writing);
      await deleteFile(writing, tenant, id);
      await blobs.drop(writing, found.blob);
      return found.blob;
    });

  const remove = async (tenant: TenantId, id: string, at: number): Promise<boolean> => {
    const blob = await forget(tenant, id, at);
    // If it cannot be removed now, the sweep removes it.
    if (blob !== undefined) await blobs.remove(blob).catch(() => {});
    return blob !== undefined;
  };

  const removeExpired = (isOver: () => boolean): Promise<void> => {
    let after = '';
    return pruneSteps(async () => {
      const rows = await expiredFiles(store.db, now(), after);
      // A file that is being read is removed when nothing reads it any more.
      for (const { id, workspace_id } of rows)
        if (!isOver()) await remove(workspace_id as TenantId, id, 0).catch(() => {});
      after = rows.at(-1)?.id ?? after;
      return rows.length;
    }, isOver);
  };

  return {
    find: async (tenant, id) => (await findFile(store.db, { tenant, now: now() }, id))?.file,
    list: (tenant, page) => listFiles(store.db, { tenant, now: now() }, page),
    async *read(tenant, id, range) {
      // A job may continue to read a file after it has expired.
      const found = await findFile(store.db, { tenant, now: 0 }, id);
      if (found === undefined) throw unknownFile(id);
      yield* blobs.read(found.blob, range);
    },
    keep: (tenant, about, bytes) =>
      receiveFile(options, { tenant, isLimited: false, createdBy: about.createdBy }, bytes, () => about),
    remove: (tenant, id) => remove(tenant, id, now()),
    registerUses: (uses) => void allUses.push(uses),
    onRemoval: (run) => void removals.push(run),
    receive: (tenant, incoming, bytes, readAbout) => receiveFile(options, { ...incoming, tenant }, bytes, readAbout),
    async sweep(isOver) {
      await store.write((writing) => deleteInterrupted(writing, now() - dayMs));
      await removeExpired(isOver);
      await blobs.sweep(isOver);
    },
  };
};
