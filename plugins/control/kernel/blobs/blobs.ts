import { createHash, randomBytes } from 'node:crypto';
import { dayMs } from '../../../../schema/durations.ts';
import { pruneSteps } from '../jobs/prune-hourly.ts';
import { orUndo } from '../records/records.ts';
import { encryptionOverhead, SecretError } from '../secrets/seal.ts';
import type { PartSealer, Sealer } from '../secrets/sealer.ts';
import type { Store, Writing } from '../store/store.ts';
import type { BlobRow } from '../store/tables.ts';
import { BlobError, type BlobStorage, type ByteRange, CountedBytes, inPieces } from './blob-storage.ts';

/** The number of plain bytes in each chunk. The last chunk may have fewer, and has none if the blob is empty. */
export const chunkBytes = 65_536;
const sealedChunkBytes = chunkBytes + encryptionOverhead;

/** The owner of the chunks, and the key that seals them. */
interface ChunkSealing {
  readonly id: string;
  readonly key: PartSealer;
}

const toPlace = (id: string, chunk: number, isLast: boolean): Parameters<PartSealer['seal']>[1] => ({
  ...{ table: 'blobs', id, field: 'bytes', chunk, isLast },
});

/** Seals bytes, which arrive in pieces of any size, chunk by chunk. */
async function* sealChunks(bytes: AsyncIterable<Uint8Array>, { id, key }: ChunkSealing): AsyncGenerator<Buffer, void> {
  let chunk = 0;
  // A chunk is sealed only when it is known whether it is the last.
  let plain: Buffer = Buffer.alloc(0);
  for await (const piece of inPieces(bytes, chunkBytes)) {
    if (plain.length > 0) {
      yield key.seal(plain, toPlace(id, chunk, false));
      chunk += 1;
    }
    plain = piece;
  }
  yield key.seal(plain, toPlace(id, chunk, true));
}

const damaged = (id: string, cause?: unknown): BlobError =>
  new BlobError(
    'damaged',
    `The stored bytes ${id} were changed, or a part of them is missing: restore them from a copy.`,
    { cause },
  );

const openChunk = (sealed: Buffer, { id, key }: ChunkSealing, [chunk, isLast]: readonly [number, boolean]): Buffer => {
  try {
    return key.open(sealed, toPlace(id, chunk, isLast));
  } catch (error) {
    throw error instanceof SecretError ? damaged(id, error) : error;
  }
};

/**
 * Yields the plain bytes of a range. `bytes` is the total number of plain bytes, and `read` reads sealed ones. Only the chunks
 * that overlap the range are read. Throws a `BlobError` for a changed chunk.
 */
async function* openChunks(
  {
    id,
    key,
    bytes,
    read,
  }: ChunkSealing & Pick<BlobRef, 'bytes'> & { readonly read: (range: ByteRange) => AsyncIterable<Uint8Array> },
  { from, to }: ByteRange,
): AsyncGenerator<Buffer, void> {
  const lastChunk = Math.max(Math.ceil(bytes / chunkBytes) - 1, 0);
  const first = Math.min(Math.floor(from / chunkBytes), lastChunk);
  const end = Math.min(Math.max(Math.ceil(to / chunkBytes), first + 1), lastChunk + 1);
  const sealedEnd = Math.min(end * sealedChunkBytes, bytes + (lastChunk + 1) * encryptionOverhead);
  let chunk = first;
  for await (const piece of inPieces(read({ from: first * sealedChunkBytes, to: sealedEnd }), sealedChunkBytes)) {
    const plain = openChunk(piece, { id, key }, [chunk, chunk === lastChunk]);
    const start = chunk * chunkBytes;
    const wanted = plain.subarray(Math.max(from - start, 0), Math.max(to - start, 0));
    if (wanted.length > 0) yield wanted;
    chunk += 1;
  }
  if (chunk !== end) throw damaged(id);
}

/** A reference to stored bytes, which the owner records. It is JSON. */
export interface BlobRef {
  readonly id: string;
  /** The id of the workspace. */
  readonly tenant: string;
  /** The id of the data key that seals the bytes. */
  readonly key: string;
  /** The number of bytes. */
  readonly bytes: number;
  /** The SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export interface NewBlob {
  /** The id of the workspace. */
  readonly tenant: string;
  /** Whether the blob is removed after a day unless `keep` is called, for a process that ends in between; false if absent. */
  readonly isProvisional?: boolean;
}

/** Bytes of workspaces, sealed at rest. All methods reject with a `BlobError`, a `SecretError` or a `StoreError`. */
export interface Blobs {
  /** Stores all of the bytes, or nothing if they break off. Must not be called inside `Store.write`. */
  write(at: NewBlob, bytes: AsyncIterable<Uint8Array>): Promise<BlobRef>;
  /** Makes a provisional blob permanent, in the transaction that records its ref. */
  keep(writing: Writing, ref: BlobRef): Promise<unknown>;
  /**
   * Reads only the chunks that a range needs. If a blob is read whole, its checksum is verified before the last bytes are
   * returned.
   */
  read(ref: BlobRef, range?: ByteRange): AsyncIterable<Buffer>;
  /** Releases a blob, in the transaction that deletes its ref. It is removed within an hour, or immediately by `remove`. */
  drop(writing: Writing, ref: BlobRef): Promise<unknown>;
  remove(ref: BlobRef): Promise<void>;
  /** Removes blobs that were abandoned at least a day ago, and blobs of deleted workspaces. */
  sweep(isOver: () => boolean): Promise<void>;
}

/** How many blobs are removed at a time. */
const maxAtOnce = 100;

const setBlob = (writing: Writing, id: string, change: Pick<BlobRow, 'state' | 'since'>): Promise<unknown> =>
  writing.updateTable('blobs').set(change).where('id', '=', id).execute();

/** Lists some blobs that have not been kept since a time, or whose workspace is gone. */
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

/** Passes on bytes that are read whole, and yields the last piece only if the checksum matches. */
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

/** Creates blobs in a storage; `now` returns milliseconds since the epoch. */
export const createBlobs = ({
  store,
  sealer,
  storage,
  now,
}: {
  readonly store: Pick<Store, 'db' | 'write'>;
  readonly sealer: Pick<Sealer, 'key'>;
  readonly storage: BlobStorage;
  readonly now: () => number;
}): Blobs => {
  const discard = async (id: string): Promise<void> => {
    await storage.remove(id);
    await store.write((writing) => writing.deleteFrom('blobs').where('id', '=', id).execute());
  };

  return {
    async write({ tenant, isProvisional = false }, bytes) {
      const key = await sealer.key(tenant);
      const id = randomBytes(16).toString('hex');
      const since = now();
      await store.write((writing) =>
        writing.insertInto('blobs').values({ id, tenant, state: 'loose', since }).execute(),
      );
      const hash = createHash('sha256');
      const counted = new CountedBytes(bytes, (_count, piece) => hash.update(piece));
      await orUndo(
        async () => {
          await storage.write(id, sealChunks(counted, { id, key }));
          if (!isProvisional) await store.write((writing) => setBlob(writing, id, { state: 'kept', since }));
        },
        // If it cannot be removed now, the sweep removes it.
        () => discard(id),
      );
      return { id, tenant, key: key.id, bytes: counted.count, sha256: hash.digest('hex') };
    },
    keep: (writing, { id }) => setBlob(writing, id, { state: 'kept', since: now() }),
    async *read(ref, range = { from: 0, to: ref.bytes }) {
      const { id, bytes } = ref;
      const key = await sealer.key(ref.tenant, ref.key);
      const opened = openChunks({ id, key, bytes, read: (part) => storage.read(id, part) }, range);
      yield* range.from === 0 && range.to === bytes ? verified(opened, ref) : opened;
    },
    drop: (writing, { id }) => setBlob(writing, id, { state: 'loose', since: 0 }),
    async remove({ id }) {
      await store.write((writing) => setBlob(writing, id, { state: 'loose', since: 0 }));
      await discard(id);
    },
    sweep: (isOver) =>
      pruneSteps(async () => {
        const rows = await listAbandoned(store.db, now() - dayMs);
        for (const { id } of rows) if (!isOver()) await discard(id);
        return rows.length;
      }, isOver),
  };
};
