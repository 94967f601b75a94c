import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { displayPath, readNamedKind } from '../../compiler/cli/files/config-files.ts';
import { filesBelow } from '../../compiler/cli/files/files-below.ts';
import { isRouteFile } from '../../schema/config/file-names.ts';

/**
 * Lists the route test files that arguments name: files as they are, and those of a folder and its sub-folders. Throws a
 * `UsageError` for a path that does not exist, or if there are none.
 */
export const findRouteFiles = async (io: CommandIo, paths: readonly string[]): Promise<readonly string[]> => {
  const files = new Set<string>();
  for (const given of paths) {
    const found = (await readNamedKind(given, io)) === 'file' ? [given] : await filesBelow(given, io, isRouteFile);
    if (found.length === 0)
      throw new UsageError(
        `The folder "${given}" contains no route tests.`,
        'They are files whose names end in .route.yaml, .route.yml or .route.json; gw init writes a first one.',
      );
    for (const file of found) files.add(displayPath(file, io.cwd));
  }
  return [...files];
};
