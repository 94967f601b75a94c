import { ensureFirst } from '../../../../../../plugins/control/access/keys/first-key.ts';
import { type BlobStorage, folderStorage } from '../../../../../../plugins/control/kernel/blobs/blob-storage.ts';
import { type Blobs, createBlobs } from '../../../../../../plugins/control/kernel/blobs/blobs.ts';
import { type MasterKey, newMasterKey } from '../../../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer, type Sealer } from '../../../../../../plugins/control/kernel/secrets/sealer.ts';
import type { Store } from '../../../../../../plugins/control/kernel/store/store.ts';
import { createFiles, type StoredFiles } from '../../../../../../plugins/control/work/files/create-files.ts';
import type { TenantId } from '../../../../../../plugins/sdk/exchange/exchange.ts';

/** The files of one process, and its time. */
export interface Filing {
  readonly files: StoredFiles;
  readonly blobs: Blobs;
  readonly sealer: Sealer;
  /** The workspace `default`, and another one. */
  readonly tenant: TenantId;
  readonly other: TenantId;
  readonly time: { now: number };
}

export interface FilingOptions {
  readonly store: Store;
  readonly folder: string;
  readonly masterKey?: MasterKey;
  readonly storage?: (folder: BlobStorage) => BlobStorage;
  readonly maxBytes?: number;
  readonly quotaBytes?: number;
}

export const filing = async ({
  store,
  folder,
  masterKey = newMasterKey(),
  storage = (each) => each,
  maxBytes = 10_000_000,
  quotaBytes = 100_000_000,
}: FilingOptions): Promise<Filing> => {
  const time = { now: 1_700_000_000_000 };
  const now = (): number => time.now;
  await ensureFirst(store, { now: now() });
  const { id, organisation_id } = await store.db.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
  const row = { id: 'other', organisation_id, slug: 'other', name: 'Other', settings: '{}', limits: null };
  await store.write((writing) =>
    writing
      .insertInto('workspaces')
      .values({ ...row, created_at: 1, updated_at: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  const sealer = await createSealer({ store, masterKey, now });
  const blobs = createBlobs({ store, sealer, storage: storage(folderStorage(folder)), now });
  const files = createFiles({ store, blobs, now, maxBytes, quotaBytes });
  return { files, blobs, sealer, tenant: id as TenantId, other: 'other' as TenantId, time };
};

/** Splits bytes into pieces of a given size. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const allOf = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
};
