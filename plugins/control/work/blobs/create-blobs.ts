import { createHash, randomBytes } from 'node:crypto';
import { dayMs } from '../../../../schema/durations.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store } from '../../kernel/store/store.ts';
import { BlobError } from './blob-error.ts';
import { abandonedBlobs, deleteBlob, insertBlob, setBlob } from './blob-rows.ts';
import type { BlobStorage } from './blob-storage.ts';
import type { BlobRef, Blobs } from './blobs.ts';
import { openChunks, sealChunks } from './sealed-chunks.ts';

export interface BlobsOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly storage: BlobStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Counts bytes that pass, and their checksum. */
const measured = (bytes: AsyncIterable<Uint8Array>) => {
  const hash = createHash('sha256');
  let count = 0;
  return {
    async *bytes(): AsyncGenerator<Uint8Array, void> {
      for await (const piece of bytes) {
        hash.update(piece);
        count += piece.length;
        yield piece;
      }
    },
    result: (): Pick<BlobRef, 'bytes' | 'sha256'> => ({ bytes: count, sha256: hash.digest('hex') }),
  };
};

/** Bytes that are read whole: the last piece of them is given when the checksum is right. */
async function* verified(bytes: AsyncIterable<Buffer>, { id, sha256 }: BlobRef): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let last: Buffer | undefined;
  for await (const piece of bytes) {
    hash.update(piece);
    if (last !== undefined) yield last;
    last = piece;
  }
  if (hash.digest('hex') !== sha256)
    throw new BlobError('damaged', `The stored bytes ${id} do not have their checksum: restore them from a copy.`);
  if (last !== undefined) yield last;
}

export const createBlobs = ({ store, sealer, storage, now }: BlobsOptions): Blobs => {
  const discard = async (id: string): Promise<void> => {
    await storage.remove(id);
    await store.write((writing) => deleteBlob(writing, id));
  };

  async function* read(ref: BlobRef, range = { from: 0, to: ref.bytes }): AsyncGenerator<Buffer, void> {
    const { id, tenant, bytes } = ref;
    const key = await sealer.key(tenant, ref.key);
    const opened = openChunks({ id, key, bytes, read: (part) => storage.read(id, part) }, range);
    const isWhole = range.from === 0 && range.to === bytes;
    yield* isWhole ? verified(opened, ref) : opened;
  }

  return {
    async write({ tenant, isProvisional = false }, bytes) {
      const key = await sealer.key(tenant);
      const id = randomBytes(16).toString('hex');
      const since = now();
      await store.write((writing) => insertBlob(writing, { id, tenant, state: 'loose', since }));
      const measuring = measured(bytes);
      try {
        await storage.write(id, sealChunks(measuring.bytes(), { id, key }));
        if (!isProvisional) await store.write((writing) => setBlob(writing, id, { state: 'kept', since }));
      } catch (error) {
        // What cannot be removed now is removed by the sweep.
        await discard(id).catch(() => {});
        throw error;
      }
      return { id, tenant, key: key.id, ...measuring.result() };
    },
    keep: (writing, { id }) => setBlob(writing, id, { state: 'kept', since: now() }),
    read,
    drop: (writing, { id }) => setBlob(writing, id, { state: 'loose', since: 0 }),
    async remove({ id }) {
      await store.write((writing) => setBlob(writing, id, { state: 'loose', since: 0 }));
      await discard(id);
    },
    async sweep(isOver) {
      for (;;) {
        const ids = await abandonedBlobs(store.db, now() - dayMs);
        for (const id of ids) {
          if (isOver()) return;
          await discard(id);
        }
        if (ids.length === 0) return;
      }
    },
  };
};
