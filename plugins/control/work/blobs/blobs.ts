import { createHash, randomBytes } from 'node:crypto';
import { dayMs } from '../../../../schema/durations.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { BlobRow } from '../../kernel/store/tables/tables.ts';
import { BlobError, type BlobStorage, type ByteRange } from './blob-storage.ts';
import { openChunks, sealChunks } from './sealed-chunks.ts';

/** Bytes that are kept, as whoever keeps them notes it: it is JSON. */
export interface BlobRef {
  readonly id: string;
  /** The id of a workspace. */
  readonly tenant: string;
  /** The id of the data key that they are sealed with. */
  readonly key: string;
  /** How many they are. */
  readonly bytes: number;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export interface NewBlob {
  /** The id of a workspace. */
  readonly tenant: string;
  /** Whether it is removed after a day unless `keep` was called, as where a process ends in between; false if absent. */
  readonly isProvisional?: boolean;
}

/** Bytes of workspaces, sealed at rest. All methods reject with a `BlobError`, a `SecretError` or a `StoreError`. */
export interface Blobs {
  /** Keeps all of the bytes, or, where they break off, nothing. Not to be called inside `Store.write`. */
  write(at: NewBlob, bytes: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  /** Makes a provisional one last, in the transaction that notes its ref. */
  keep(writing: Writing, ref: BlobRef): Promise<void>;
  /** Reads only what a range needs. Bytes that are read whole are compared with their checksum before the last are given. */
  read(ref: BlobRef, range?: ByteRange): AsyncIterable<Buffer>;
  /** Lets it go, in the transaction that forgets its ref: it is removed within an hour, or by `remove` at once. */
  drop(writing: Writing, ref: BlobRef): Promise<void>;
  remove(ref: BlobRef): Promise<void>;
  /** Removes what was left behind a day ago or earlier, and what belongs to workspaces that are gone. */
  sweep(isOver: () => boolean): Promise<void>;
}

/** Options of `createBlobs`. */
interface BlobsOptions {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly storage: BlobStorage;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How many are removed at a time. */
const maxAtOnce = 100;

const setBlob = async (writing: Writing, id: string, change: Pick<BlobRow, 'state' | 'since'>): Promise<void> => {
  await writing.updateTable('blobs').set(change).where('id', '=', id).execute();
};

/** Lists some of those that nobody has kept since a time, or whose workspace is gone. */
const listAbandoned = (db: Store['db'], before: number): Promise<Pick<BlobRow, 'id'>[]> =>
  db
    .selectFrom('blobs')
    .select('id')
    .where(({ eb, and, or, not, exists, selectFrom }) =>
      or([
        and([eb('state', '=', 'loose'), eb('since', '<', before)]),
        not(exists(selectFrom('workspaces').select('id').whereRef('workspaces.id', '=', 'blobs.tenant'))),
      ]),
    )
    .orderBy('id')
    .limit(maxAtOnce)
    .execute();

/** Passes bytes that are read whole: the last piece of them is given when the checksum is right. */
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
    await store.write((writing) => writing.deleteFrom('blobs').where('id', '=', id).execute());
  };

  return {
    async write({ tenant, isProvisional = false }, bytes) {
      const key = await sealer.key(tenant);
      const id = randomBytes(16).toString('hex');
      const since = now();
      const row: BlobRow = { id, tenant, state: 'loose', since };
      await store.write((writing) => writing.insertInto('blobs').values(row).execute());
      const hash = createHash('sha256');
      let count = 0;
      const measured = async function* (): AsyncGenerator<Uint8Array, void> {
        for await (const piece of bytes) {
          hash.update(piece);
          count += piece.length;
          yield piece;
        }
      };
      try {
        await storage.write(id, sealChunks(measured(), { id, key }));
        if (!isProvisional) await store.write((writing) => setBlob(writing, id, { state: 'kept', since }));
      } catch (error) {
        // What cannot be removed now is removed by the sweep.
        await discard(id).catch(() => {});
        throw error;
      }
      return { id, tenant, key: key.id, bytes: count, sha256: hash.digest('hex') };
    },
    keep: (writing, { id }) => setBlob(writing, id, { state: 'kept', since: now() }),
    async *read(ref, range = { from: 0, to: ref.bytes }) {
      const { id, tenant, bytes } = ref;
      const key = await sealer.key(tenant, ref.key);
      const opened = openChunks({ id, key, bytes, read: (part) => storage.read(id, part) }, range);
      yield* range.from === 0 && range.to === bytes ? verified(opened, ref) : opened;
    },
    drop: (writing, { id }) => setBlob(writing, id, { state: 'loose', since: 0 }),
    async remove({ id }) {
      await store.write((writing) => setBlob(writing, id, { state: 'loose', since: 0 }));
      await discard(id);
    },
    async sweep(isOver) {
      const list = () => listAbandoned(store.db, now() - dayMs);
      for (let rows = await list(); rows.length > 0; rows = await list())
        for (const { id } of rows) {
          if (isOver()) return;
          await discard(id);
        }
    },
  };
};
