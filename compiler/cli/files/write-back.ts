import { fileError, fileHint } from '../../../schema/text/file-error.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readText } from './read-text.ts';

/** A change of a file that was read. */
export interface FileChange {
  readonly file: string;
  /** The text that was read. */
  readonly before: string;
  readonly after: string;
}

/** Replaces the text of a file, unless it is no longer the text that was read. Throws a `UsageError`. */
export const writeBack = async ({ file, before, after }: FileChange, io: CommandIo): Promise<void> => {
  if ((await readText(io, file)) !== before)
    throw new UsageError(
      `The file "${file}" has changed since it was read, and was left unchanged.`,
      'Run the command again.',
    );
  try {
    await io.writeFiles(new Map([[file, after]]));
  } catch (error) {
    throw new UsageError(`The file "${file}" cannot be written: ${fileError(error)}.`, fileHint(error));
  }
};
