import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { syncFolder } from '../../kernel/store/sync-folder.ts';
import { BlobError, type BlobStorage } from './blob-storage.ts';

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
