import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The destination of the files. */
export interface Destination {
  /** The file or folder, as the user named it. */
  readonly named: string;
  /** A sentence with what to do if it cannot be written; by default the one for the reason. */
  readonly hint?: string;
}

/** Writes all of the files or none. Throws a `UsageError` with the reason if they cannot be written. */
export const writeFiles = async (
  files: ReadonlyMap<string, string>,
  { named, hint }: Destination,
  io: CommandIo,
): Promise<void> => {
  try {
    await io.writeFiles(files);
  } catch (error) {
    throw new UsageError(`Nothing can be written to "${named}": ${fileError(error)}.`, hint ?? fileHint(error));
  }
};
