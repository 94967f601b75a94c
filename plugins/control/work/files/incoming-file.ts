import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { conflict } from '../../kernel/requests/refusals.ts';
import { newId } from '../../kernel/store/new-id.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { FileRow } from '../../kernel/store/tables/tables.ts';
import type { BlobRef, Blobs } from '../blobs/blobs.ts';
import { bytesBeside, deleteFile, insertFile, updateFile } from './file-rows.ts';
import type { FileAbout, StoredFile } from './files.ts';

/** What the row of a file of unknown size has of the quota at first, and each time that this was too little. */
const stepBytes = 16 * 1024 * 1024;

export interface IncomingOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly blobs: Pick<Blobs, 'write' | 'keep' | 'remove'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of one file. */
  readonly maxBytes: number;
  /** How many bytes the files of a workspace may have together. */
  readonly quotaBytes: number;
}

export interface Incoming {
  readonly createdBy?: string | undefined;
  /** About how many bytes come, and not fewer; absent if nobody knows. */
  readonly expectedBytes?: number | undefined;
  /** Whether it is refused where it is too large, or does not fit in the quota. */
  readonly isLimited: boolean;
}

const gone = () =>
  conflict('The workspace was deleted while the file was sent.', 'Send the file to a workspace that is there.');

/**
 * Receives the bytes of a file, and shows it with what is known of it when all of them are there. Rejects with the
 * `GatewayError`s `file-too-large`, `file-quota`, and `conflict` if its workspace is gone, and leaves nothing then; what cannot
 * be removed now is removed after a day.
 */
export const receiveFile = async (
  { store, blobs, now, maxBytes, quotaBytes }: IncomingOptions,
  { tenant, expectedBytes, isLimited, createdBy }: Incoming & { readonly tenant: TenantId },
  bytes: AsyncIterable<Uint8Array>,
  readAbout: () => FileAbout,
): Promise<StoredFile> => {
  const createdAt = now();
  const id = `gw-file-${newId(createdAt)}`;
  const most = isLimited ? maxBytes : Number.POSITIVE_INFINITY;
  // What is never refused counts once it is there: until then it takes nothing away from what may be refused.
  let reserved = isLimited ? Math.min(expectedBytes ?? stepBytes, most) : 0;

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

  async function* counted(): AsyncGenerator<Uint8Array, void> {
    let count = 0;
    for await (const piece of bytes) {
      count += piece.length;
      if (count > most) throw gatewayError('file-too-large', { limit: String(maxBytes) });
      if (isLimited && count > reserved) {
        reserved = Math.min(count + stepBytes, most);
        await reserve(false);
      }
      yield piece;
    }
  }

  await reserve(true);
  let blob: BlobRef | undefined;
  try {
    blob = await blobs.write({ tenant, isProvisional: true }, counted());
    const { id: blobId, key, bytes: size, sha256 } = blob;
    const { purpose, filename, keepMs } = readAbout();
    const expiresAt = keepMs === undefined ? undefined : createdAt + keepMs;
    const change: Partial<FileRow> = {
      ...{ purpose, filename, bytes: size, state: 'kept', sha256, blob_id: blobId, blob_key: key },
      expires_at: expiresAt ?? null,
    };
    const ref = blob;
    await store.write(async (writing) => {
      if (!(await updateFile(writing, { tenant, id }, change))) throw gone();
      await blobs.keep(writing, ref);
    });
    return {
      ...{ id, bytes: size, filename, purpose, createdAt, sha256 },
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(createdBy === undefined ? {} : { createdBy }),
    };
  } catch (error) {
    await Promise.allSettled([store.write((writing) => deleteFile(writing, tenant, id)), blob && blobs.remove(blob)]);
    throw error;
  }
};
