import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { existingFile, isFile } from './existing-file.ts';
import { exportedPath } from './exported-path.ts';
import { parsedManifest } from './manifest.ts';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the file for a subpath in a package's folder. */
const fileInPackage = (folder: string, subpath: string): string | undefined => {
  const manifestFile = join(folder, 'package.json');
  const path = exportedPath(isFile(manifestFile) ? parsedManifest(manifestFile) : {}, subpath);
  return path === undefined ? undefined : existingFile(join(folder, path));
};

const packageFolder = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isFolder(candidate)) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
};

/** Whether it is a path rather than a package name. */
export const isPath = (specifier: string): boolean => /^\.{1,2}([\\/]|$)/.test(specifier) || isAbsolute(specifier);

/** Splits the name of a package, or of a module in it. */
const toParts = (specifier: string): { readonly name?: string; readonly part?: string } => {
  const [, name, part] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return { ...(name === undefined ? {} : { name }), ...(part === undefined ? {} : { part }) };
};

/**
 * Returns the folder of a plugin, named as for `findPlugin`, whether or not it has a module. Returns `undefined` if there is
 * none.
 */
export const findPluginFolder = (specifier: string, from: string): string | undefined => {
  if (isPath(specifier)) return isFolder(resolve(from, specifier)) ? resolve(from, specifier) : undefined;
  const { name } = toParts(specifier);
  return name === undefined ? undefined : packageFolder(name, resolve(from));
};

/**
 * Returns the file of a plugin named as a package (`name`, `@scope/name`, `name/part`), or as a path to a file or a package
 * folder, resolved as `import` would in a module of the given folder. Returns `undefined` if there is none.
 */
export const findPlugin = (specifier: string, from: string): string | undefined => {
  const path = resolve(from, specifier);
  if (isPath(specifier) && isFile(path)) return path;
  const folder = findPluginFolder(specifier, from);
  const { part } = isPath(specifier) ? {} : toParts(specifier);
  return folder === undefined ? undefined : fileInPackage(folder, part === undefined ? '.' : `./${part}`);
};
