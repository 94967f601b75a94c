import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { fileError } from './file-error.ts';

/** Writes all files of a folder that `--out` names, or none. Throws a `UsageError` that says why they cannot be written. */
export const writeFiles = async (files: ReadonlyMap<string, string>, out: string, io: CommandIo): Promise<void> => {
  try {
    await io.writeFiles(files);
  } catch (error) {
    throw new UsageError(`Nothing can be written to "${out}": ${fileError(error)}.`, 'Name another folder with --out.');
  }
};
