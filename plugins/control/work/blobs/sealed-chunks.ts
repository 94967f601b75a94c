import { encryptionOverhead, SecretError } from '../../kernel/secrets/seal.ts';
import type { PartSealer } from '../../kernel/secrets/sealer.ts';
import { BlobError, type ByteRange } from './blob-storage.ts';
import { inPieces } from './in-pieces.ts';

/** The plain bytes of each chunk but the last, which may have fewer, and none if there are none at all. */
export const chunkBytes = 65_536;
const sealedChunkBytes = chunkBytes + encryptionOverhead;

/** The owner of the chunks, and the key that they are sealed with. */
interface ChunkSealing {
  readonly id: string;
  readonly key: PartSealer;
}

const toPlace = (id: string, chunk: number, isLast: boolean): Parameters<PartSealer['seal']>[1] => ({
  ...{ table: 'blobs', id, field: 'bytes', chunk, isLast },
});

/** Seals bytes, which arrive in pieces of any size, chunk by chunk. */
export async function* sealChunks(
  bytes: AsyncIterable<Uint8Array>,
  { id, key }: ChunkSealing,
): AsyncGenerator<Buffer, void> {
  let chunk = 0;
  // A chunk is sealed when it is known whether it is the last.
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

interface SealedBytes extends ChunkSealing {
  /** How many they are when they are open. */
  readonly bytes: number;
  /** Reads sealed bytes. */
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>;
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

/** The plain bytes of a range. Only the chunks are read that have some of them; it throws a `BlobError` for one that was changed. */
export async function* openChunks(sealed: SealedBytes, { from, to }: ByteRange): AsyncGenerator<Buffer, void> {
  const { id, bytes, read } = sealed;
  const lastChunk = Math.max(Math.ceil(bytes / chunkBytes) - 1, 0);
  const first = Math.min(Math.floor(from / chunkBytes), lastChunk);
  const end = Math.min(Math.max(Math.ceil(to / chunkBytes), first + 1), lastChunk + 1);
  const sealedEnd = Math.min(end * sealedChunkBytes, bytes + (lastChunk + 1) * encryptionOverhead);
  let chunk = first;
  for await (const piece of inPieces(read({ from: first * sealedChunkBytes, to: sealedEnd }), sealedChunkBytes)) {
    const plain = openChunk(piece, sealed, [chunk, chunk === lastChunk]);
    const start = chunk * chunkBytes;
    const wanted = plain.subarray(Math.max(from - start, 0), Math.max(to - start, 0));
    if (wanted.length > 0) yield wanted;
    chunk += 1;
  }
  if (chunk !== end) throw damaged(id);
}
