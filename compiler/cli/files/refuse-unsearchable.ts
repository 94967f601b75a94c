import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/**
 * Throws a `UsageError` if a path counts as a file only because it cannot be examined: in a folder that the user may not search,
 * every name does.
 */
export const refuseUnsearchable = async (io: Pick<CommandIo, 'realPath'>, file: string): Promise<void> => {
  try {
    await io.realPath(file);
  } catch (error) {
    throw new UsageError(`Whether there is a file "${file}" cannot be seen: ${fileError(error)}.`, fileHint(error));
  }
};
