import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Replaces the text of a file that was read. Throws a `UsageError`. */
export const writeBack = async (file: string, text: string, io: CommandIo): Promise<void> => {
  try {
    await io.writeFiles(new Map([[file, text]]));
  } catch (error) {
    throw new UsageError(`The file "${file}" cannot be written: ${fileError(error)}.`, fileHint(error));
  }
};
