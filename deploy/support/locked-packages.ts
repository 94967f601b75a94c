import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root: string = path.join(import.meta.dirname, '../..');

/** A package in `package-lock.json`. */
export interface LockedPackage {
  /** The package's folder, relative to the root of the project. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** The hash of the archive in the registry: `sha512-…` in base64. */
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Locked = Omit<LockedPackage, 'folder' | 'name'>;

const folders = 'node_modules/';

/** Reads the lockfile: all its packages by their folders, and the project itself. */
export const readLockfile = (file: string = path.join(root, 'package-lock.json')): Readonly<Record<string, Locked>> =>
  JSON.parse(readFileSync(file, 'utf8')).packages;

export const toLockedPackage = (folder: string, locked: Locked): LockedPackage => ({
  ...locked,
  folder,
  name: folder.slice(folder.lastIndexOf(folders) + folders.length),
});

/** Returns the folder in which Node finds a package from another package's folder. */
const findFolder = (packages: Readonly<Record<string, Locked>>, name: string, from: string): string | undefined => {
  const folder = `${from === '' ? '' : `${from}/`}${folders}${name}`;
  if (packages[folder] !== undefined) return folder;
  if (from === '') return undefined;
  const above = from.lastIndexOf(`/${folders}`);
  return findFolder(packages, name, above < 0 ? '' : from.slice(0, above));
};

const requiredPeers = ({ peerDependencies = {}, peerDependenciesMeta = {} }: Locked): readonly string[] =>
  Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);

/** Returns these packages with all their dependencies. Throws if the lockfile lacks one that is not optional. */
export const lockedTree = (
  names: readonly string[],
  packages: Readonly<Record<string, Locked>> = readLockfile(),
): readonly LockedPackage[] => {
  const found = new Map<string, LockedPackage>();
  const add = (name: string, from: string, isOptional = false): void => {
    const folder = findFolder(packages, name, from);
    const locked = folder === undefined ? undefined : packages[folder];
    if (folder === undefined || locked === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no ${name}, which ${from || 'the package'} needs. Run: npm install`);
    }
    if (found.has(folder)) return;
    found.set(folder, toLockedPackage(folder, locked));
    for (const each of Object.keys(locked.dependencies ?? {})) add(each, folder);
    for (const each of Object.keys(locked.optionalDependencies ?? {})) add(each, folder, true);
    for (const each of requiredPeers(locked)) add(each, folder, true);
  };
  for (const name of names) add(name, '');
  return [...found.values()].sort((left, right) => (left.folder < right.folder ? -1 : 1));
};

/** Returns the names of the package's own dependencies: required, optional, and those that its user may install. */
export const directDependencies = (): Readonly<Record<'needed' | 'optional' | 'peers', readonly string[]>> => {
  const { '': own } = readLockfile();
  return {
    needed: Object.keys(own?.dependencies ?? {}),
    optional: Object.keys(own?.optionalDependencies ?? {}),
    peers: Object.keys(own?.peerDependencies ?? {}),
  };
};
