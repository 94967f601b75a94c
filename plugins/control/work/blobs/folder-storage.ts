import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { BlobError, type BlobStorage } from './blob-storage.ts';

/** Makes what was done in a folder last. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** A folder of this machine, which only the user of the gateway can read. A file has its name when all of it is on disk. */
export const folderStorage = (folder: string): BlobStorage => {
  const toFile = (id: string): string => path.join(folder, id);
  const toPart = (id: string): string => path.join(folder, `${id}.part`);

  const unavailable = (error: unknown): BlobError =>
    new BlobError(
      'unavailable',
      `The folder of the files, ${folder}, cannot be used (${errorCode(error) ?? 'an unknown failure'}): see that it is there, that the gateway may write to it, and that its disk is not full.`,
      { cause: error },
    );

  const using = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    try {
      return await run();
    } catch (error) {
      throw unavailable(error);
    }
  };

  const begin = async (id: string): Promise<FileHandle> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(toPart(id), 'wx', 0o600);
  };

  const append = async (handle: FileHandle, piece: Buffer): Promise<void> => {
    for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
  };

  const finish = async (id: string): Promise<void> => {
    await rename(toPart(id), toFile(id));
    await syncFolder(folder);
  };

  const remove = async (id: string): Promise<void> => {
    await rm(toPart(id), { force: true });
    await rm(toFile(id), { force: true });
  };

  return {
    async write(id, bytes) {
      const handle = await using(() => begin(id));
      try {
        for await (const piece of bytes) await using(() => append(handle, piece));
        await using(() => handle.sync());
      } catch (error) {
        await remove(id).catch(() => {});
        throw error;
      } finally {
        await handle.close();
      }
      await using(() => finish(id));
    },
    async *read(id, { from, to }) {
      try {
        yield* createReadStream(toFile(id), { start: from, end: to - 1, highWaterMark: 262_144 });
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw unavailable(error);
        throw new BlobError('damaged', `The file ${toFile(id)} is missing: restore it from a copy.`, { cause: error });
      }
    },
    remove: (id) => using(() => remove(id)),
  };
};
