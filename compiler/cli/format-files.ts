import path from 'node:path';
import { hasFileEnding, isGeneratedFile, isNpmFile } from '../../schema/config/file-names.ts';
import type { CommandIo } from './command-line/services.ts';
import { UsageError } from './command-line/usage-error.ts';
import { displayPath, readNamedKind } from './files/config-files.ts';
import { filesBelow } from './files/files-below.ts';

const isWanted = (name: string): boolean =>
  hasFileEnding(name) && !name.startsWith('.') && !isNpmFile(name) && !isGeneratedFile(name);

/**
 * Lists the files to format that arguments name, each once: files as they are, and of a folder and its sub-folders the configs,
 * route tests and gateway files. Throws a `UsageError` for a path that does not exist, and for a folder without such files.
 */
export const filesToFormat = async (io: CommandIo, paths: readonly string[]): Promise<readonly string[]> => {
  const files = new Map<string, string>();
  for (const given of paths) {
    const found = (await readNamedKind(given, io)) === 'file' ? [given] : await filesBelow(given, io, isWanted);
    if (found.length === 0)
      throw new UsageError(
        `The folder "${given}" contains no configs, gateway files or route tests.`,
        'Name another folder, or a file.',
      );
    for (const file of found) files.set(path.resolve(io.cwd, file), displayPath(file, io.cwd));
  }
  return [...files.values()];
};
