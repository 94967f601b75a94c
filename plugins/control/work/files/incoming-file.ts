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

/** A file whose bytes are kept, and which nobody sees yet. */
export interface ReceivedFile {
  /** Shows it. Rejects with the `GatewayError` `conflict` if its workspace is gone. */
  finish(about: FileAbout): Promise<StoredFile>;
  /** Leaves nothing of it. Does not reject: what cannot be removed now is removed after a day. */
  abandon(): Promise<void>;
}

const gone = () =>
  conflict('The workspace was deleted while the file was sent.', 'Send the file to a workspace that is there.');

/** Receives the bytes of a file. Rejects with the `GatewayError`s `file-too-large` and `file-quota`, and leaves nothing then. */
export const receiveFile = async (
  { store, blobs, now, maxBytes, quotaBytes }: IncomingOptions,
  { tenant, expectedBytes, isLimited, createdBy }: Incoming & { readonly tenant: TenantId },
  bytes: AsyncIterable<Uint8Array>,
): Promise<ReceivedFile> => {
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

  const forget = (): Promise<void> => store.write((writing) => deleteFile(writing, tenant, id));

  const received = async (): Promise<BlobRef> => {
    try {
      return await blobs.write({ tenant, isProvisional: true }, counted());
    } catch (error) {
      await forget().catch(() => {});
      throw error;
    }
  };

  await reserve(true);
  const blob = await received();
  return {
    async finish({ purpose, filename, keepMs }) {
      const expiresAt = keepMs === undefined ? undefined : createdAt + keepMs;
      const { bytes: size, sha256 } = blob;
      await store.write(async (writing) => {
        const isUpdated = await updateFile(
          writing,
          { tenant, id },
          {
            ...{ purpose, filename, bytes: size, state: 'kept', sha256, blob_id: blob.id, blob_key: blob.key },
            expires_at: expiresAt ?? null,
          },
        );
        if (!isUpdated) throw gone();
        await blobs.keep(writing, blob);
      });
      return {
        ...{ id, bytes: size, filename, purpose, createdAt, sha256 },
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(createdBy === undefined ? {} : { createdBy }),
      };
    },
    async abandon() {
      await Promise.allSettled([forget(), blobs.remove(blob)]);
    },
  };
};
