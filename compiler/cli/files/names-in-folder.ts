import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Whether to read a folder that was not named explicitly. */
export const isOpen = (name: string): boolean => !name.startsWith('.') && name !== 'node_modules';

/** Lists the names in a folder. Throws a `UsageError` if it cannot be read. */
export const namesIn = async (folder: string, io: CommandIo): Promise<readonly string[]> => {
  try {
    return await io.list(folder);
  } catch (error) {
    throw new UsageError(`The folder "${folder}" cannot be read: ${fileError(error)}.`, fileHint(error));
  }
};
