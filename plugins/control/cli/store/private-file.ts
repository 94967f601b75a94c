import { type FileHandle, open, unlink } from 'node:fs/promises';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { failed } from '../command-line/command-failure.ts';

const unwritable = (file: string, error: unknown): Error =>
  errorCode(error) === 'EEXIST'
    ? failed(
        `${file} is there already, and may have a key that is still in use.`,
        'Move it to a safe place, and run this again.',
      )
    : failed(
        `${file} cannot be written (${errorCode(error)}).`,
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
