import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { syncFolder } from '../store/sync-folder.ts';

/** A folder of this machine that only the user of the gateway can read. A file gets its name when all of it is on disk. */
export const folderStorage = (folder: string): BlobStorage => {
  const toFile = (id: string): string => join(folder, id);
  const toPart = (id: string): string => join(folder, `${id}.part`);

  const unavailable = (error: unknown): BlobError =>
    new BlobError(
      'unavailable',
      `The folder of the files, ${folder}, cannot be used (${errorCode(error) ?? 'an unknown failure'}): check that it exists, that the gateway may write to it, and that its disk is not full.`,
      { cause: error },
    );

  const remove = async (id: string): Promise<void> => {
    await rm(toPart(id), { force: true });
    await rm(toFile(id), { force: true });
  };

  return {
    async write(id, bytes) {
      let failure: unknown;
      const source = async function* (): AsyncGenerator<Buffer, void> {
        try {
          yield* bytes;
        } catch (error) {
          failure = error;
          throw error;
        }
      };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(toPart(id), source(), { flag: 'wx', mode: 0o600, flush: true });
        await rename(toPart(id), toFile(id));
        await syncFolder(folder);
      } catch (error) {
        await remove(id).catch(() => {});
        throw error === failure ? error : unavailable(error);
      }
    },
    async *read(id, { from, to }) {
      try {
        yield* createReadStream(toFile(id), { start: from, end: to - 1, highWaterMark: 262_144 });
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw unavailable(error);
        throw new BlobError('damaged', `The file ${toFile(id)} is missing: restore it from a copy.`, { cause: error });
      }
    },
    remove: (id) =>
      remove(id).catch((error: unknown) => {
        throw unavailable(error);
      }),
  };
};

/** Regroups the bytes of a stream into pieces of `size` bytes; the last piece may be shorter. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (let piece of bytes) {
    while (length + piece.length >= size) {
      const taken = piece.subarray(0, size - length);
      yield Buffer.concat([...waiting, taken]);
      waiting = [];
      piece = piece.subarray(taken.length);
      length = 0;
    }
    if (piece.length > 0) waiting.push(piece);
    length += piece.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** Bytes cannot be written or read. The message is for the operator: what is wrong, and what to do. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  /** The bytes cannot be reached now, or they are not those that were written. */
  readonly error: 'unavailable' | 'damaged';

  constructor(reason: BlobError['error'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.error = reason;
  }
}

/** A range of bytes, counted from 0; `to` is the offset after its last byte. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** A place for sealed bytes: a folder, or a bucket. Ids are random. All methods reject with a `BlobError`. */
export interface BlobStorage {
  /** Stores all of the bytes. If they break off or the process ends, nothing readable is left. */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  read(id: string, range: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes the bytes, and what an interrupted `write` has left. Does nothing if there are none. */
  remove(id: string): Promise<void>;
}

/** Counts bytes while they are read. */
export class CountedBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #check: (count: number, piece: Uint8Array) => unknown;
  /** How many bytes were read so far. */
  count = 0;

  /** Calls `check` with each piece and the count including it, before the piece is yielded. */
  constructor(bytes: AsyncIterable<Uint8Array>, check: (count: number, piece: Uint8Array) => unknown = () => {}) {
    this.#bytes = bytes;
    this.#check = check;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#bytes) {
      this.count += piece.length;
      await this.#check(this.count, piece);
      yield piece;
    }
  }
}
