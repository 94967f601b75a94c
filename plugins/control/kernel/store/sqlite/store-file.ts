import { existsSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../store.ts';

/** The suffixes of the files that belong next to a store. */
const besides = ['-wal', '-shm', '-journal', '.lock'];

/** Names what is at a path instead of a file; returns undefined if it is a file. */
const nameKind = (stats: Stats): string | undefined => {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
};

/** Names what is at a path if it is not a file; returns undefined if there is a file or nothing. */
const findKind = (at: string): string | undefined => {
  const stats = statSync(at, { throwIfNoEntry: false });
  return stats && nameKind(stats);
};

/** Returns the path that a dangling link points to; undefined if there is no link. */
const findLinked = (named: string): string | undefined => {
  try {
    return path.resolve(path.dirname(named), readlinkSync(named));
  } catch {
    return undefined;
  }
};

/**
 * Returns the file that a path leads to. A link and its target are one file with one lock, even if the target does not exist yet.
 */
const followLinks = (named: string): string => {
  if (existsSync(named)) return realpathSync(named);
  // A link that leads to itself is not treated like a path that does not exist: this call throws.
  statSync(named, { throwIfNoEntry: false });
  const linked = findLinked(named);
  if (linked === undefined) return named;
  if (existsSync(path.dirname(linked))) return followLinks(linked);
  throw new StoreError(
    `The file ${named} is a symbolic link to ${linked}, whose folder does not exist. Create the folder, or correct the link.`,
  );
};

/**
 * Returns the file of a store, with links resolved.
 *
 * @throws StoreError if something else is there, or in place of a file that belongs next to it
 */
export const findStoreFile = (named: string): string => {
  const file = followLinks(named);
  const kind = findKind(file);
  if (kind !== undefined) {
    const another = kind === 'a folder' ? `a file in it, such as ${path.join(file, 'gateway.db')}` : 'another file';
    throw new StoreError(`${file} is ${kind}, and a store is a file. Name ${another}.`);
  }
  for (const beside of besides) {
    const found = findKind(`${file}${beside}`);
    if (found !== undefined)
      throw new StoreError(
        `${file}${beside} is ${found}, instead of a file that belongs to the store ${file}. Move it away.`,
      );
  }
  return file;
};
