import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Manifest } from '../../loading/manifest.ts';
import { moduleFiles } from '../../loading/module-files.ts';
import { ownFolder } from '../../loading/own-version.ts';

const asFolder = (path: string): string => (path.endsWith(sep) ? path : `${path}${sep}`);

/** Returns the folders in which Node looks for packages, from a folder upwards. */
const packageFolders = (from: string): readonly string[] => {
  const found: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(candidate)) found.push(asFolder(candidate));
    if (folder === dirname(folder)) return found;
  }
};

const ownPaths = (file: string, isPackage: boolean, manifest: Manifest | undefined): readonly string[] =>
  isPackage && manifest !== undefined ? [asFolder(manifest.folder)] : moduleFiles(file);

export interface ReadablePathsOptions {
  readonly file: string;
  /** Whether the plugin is a package, so that its whole folder may be read. For a single file, only what it imports may be. */
  readonly isPackage: boolean;
  readonly manifest: Manifest | undefined;
}

/** Returns the paths that the process of a plugin may read: its own files, the packages that it can import, and this package. */
export const readablePaths = ({ file, isPackage, manifest }: ReadablePathsOptions): readonly string[] => {
  const real = realpathSync(file);
  const paths = [
    ...ownPaths(file, isPackage, manifest),
    real,
    ...[dirname(file), dirname(real), ownFolder].flatMap(packageFolders),
    asFolder(ownFolder),
  ];
  const resolved = paths.map((path) => (path.endsWith(sep) ? asFolder(realpathSync(path)) : realpathSync(path)));
  return [...new Set([...paths, ...resolved])];
};
