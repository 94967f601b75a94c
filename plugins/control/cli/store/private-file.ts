import { type FileHandle, open, unlink } from 'node:fs/promises';
import { failed } from '../command-line/command-failure.ts';

const readCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const unwritable = (file: string, error: unknown): Error =>
  readCode(error) === 'EEXIST'
    ? failed(
        `${file} is there already, and may have a key that is still in use.`,
        'Move it to a safe place, and run this again.',
      )
    : failed(
        `${file} cannot be written (${readCode(error)}).`,
        'Check the permissions of its folder, or run this in a terminal.',
      );

/**
 * Makes a file that only its owner can read, with the text that `make` resolves to. The file is there before the text is
 * made, so that no text is lost for want of a place. Rejects with a `CommandFailure` if the file is there already.
 */
export const writePrivateFile = async (file: string, make: () => Promise<string>): Promise<void> => {
  let handle: FileHandle;
  try {
    handle = await open(file, 'wx', 0o600);
  } catch (error) {
    throw unwritable(file, error);
  }
  try {
    await handle.writeFile(await make());
    await handle.sync();
  } catch (error) {
    await unlink(file);
    throw error;
  } finally {
    await handle.close();
  }
};
