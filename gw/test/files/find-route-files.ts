import path from 'node:path';
import type { CommandIo } from '../../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../../compiler/cli/command-line/usage-error.ts';
import { displayPath } from '../../../compiler/cli/files/config-files.ts';
import { isOpen, namesIn } from '../../../compiler/cli/files/names-in-folder.ts';
import { isRouteFile } from '../../../schema/config/file-names.ts';

/** Each folder once, whatever links there are. */
const filesBelow = async (folder: string, io: CommandIo, seen: Set<string>): Promise<readonly string[]> => {
  const real = await io.realPath(folder);
  if (seen.has(real)) return [];
  seen.add(real);
  const found: string[] = [];
  for (const name of (await namesIn(folder, io)).filter(isOpen)) {
    const file = path.join(folder, name);
    if ((await io.readKind(file)) === 'folder') found.push(...(await filesBelow(file, io, seen)));
    else if (isRouteFile(name)) found.push(file);
  }
  return found;
};

/**
 * Lists the files of route tests that arguments name: files as they are, and those of a folder and below it. Throws a
 * `UsageError` for a path where nothing is, and where there are none.
 */
export const findRouteFiles = async (io: CommandIo, paths: readonly string[]): Promise<readonly string[]> => {
  const files = new Set<string>();
  for (const given of paths) {
    const kind = await io.readKind(given);
    if (kind === undefined) throw new UsageError(`There is no file or folder "${given}".`, `Paths start at ${io.cwd}.`);
    const found = kind === 'file' ? [given] : await filesBelow(given, io, new Set());
    if (found.length === 0)
      throw new UsageError(
        `The folder "${given}" contains no route tests.`,
        'They are files whose names end in .route.yaml, .route.yml or .route.json; gw init writes a first one.',
      );
    for (const file of found) files.add(displayPath(file, io.cwd));
  }
  return [...files];
};
