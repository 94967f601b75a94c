import path from 'node:path';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { ConfigFile } from '../files/config-files.ts';
import { readText } from '../files/read-text.ts';

/** Reads the text of a config. Throws a `UsageError` with the reason if it cannot be read. */
export const readConfigText = async (io: CommandIo, { file, isListed }: ConfigFile): Promise<string> => {
  if (isListed && (await io.isEndless(file)))
    throw new UsageError(
      `The file "${file}" cannot be read: it is a pipe or a device.`,
      'Put a regular file there, or name it as an argument.',
    );
  return readText(io, path.normalize(file));
};
