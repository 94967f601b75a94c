import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fromJson } from '../../../schema/json/from-json.ts';
import { existingFile, isFile } from './existing-file.ts';
import { exportedPath } from './exported-path.ts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The file in a package's folder for a subpath. */
const fileInPackage = (folder: string, subpath: string): string | undefined => {
  const manifestFile = join(folder, 'package.json');
  const manifest: unknown = isFile(manifestFile) ? fromJson(readFileSync(manifestFile, 'utf8')) : {};
  const path = typeof manifest === 'object' && manifest !== null ? exportedPath(manifest, subpath) : undefined;
  return path === undefined ? undefined : existingFile(join(folder, path));
};

const packageFolder = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isFolder(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
};

/** Whether it is a path, not a package name. */
export const isPath = (specifier: string): boolean => /^\.{1,2}([\\/]|$)/.test(specifier) || isAbsolute(specifier);

/**
 * The file of a plugin named as a package (`name`, `@scope/name`, `name/part`), or as a path to a file or a package folder,
 * resolved as `import` in a module of the given folder would; `undefined` if there is none.
 */
export const findPlugin = (specifier: string, from: string): string | undefined => {
  if (isPath(specifier)) {
    const path = resolve(from, specifier);
    if (isFolder(path)) return fileInPackage(path, '.');
    return isFile(path) ? path : undefined;
  }
  const [, name, part] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const folder = packageFolder(name, resolve(from));
  return folder === undefined ? undefined : fileInPackage(folder, part === undefined ? '.' : `./${part}`);
};
