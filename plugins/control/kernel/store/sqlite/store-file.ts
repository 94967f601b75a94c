import { existsSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { StoreError } from '../store.ts';

/** The ends of the names of files that belong beside a store. */
const besides = ['-wal', '-shm', '-journal', '.lock'];

/** Says what is at a path in place of a file; undefined where it is a file. */
const nameKind = (stats: Stats): string | undefined => {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
};

/** Names what is at a path and is no file; undefined where there is a file, or nothing. */
const findKind = (at: string): string | undefined => {
  const stats = statSync(at, { throwIfNoEntry: false });
  return stats && nameKind(stats);
};

/** The path that a link names which leads to nothing yet; undefined where there is no link. */
const findLinked = (named: string): string | undefined => {
  try {
    return path.resolve(path.dirname(named), readlinkSync(named));
  } catch {
    return undefined;
  }
};

/** The file that a path leads to. A link and what it leads to are one file, with one lock, also where that is still to be made. */
const followLinks = (named: string): string => {
  if (existsSync(named)) return realpathSync(named);
  // A link that leads to itself is no path that does not exist: that is thrown here.
  statSync(named, { throwIfNoEntry: false });
  const linked = findLinked(named);
  if (linked === undefined) return named;
  if (existsSync(path.dirname(linked))) return followLinks(linked);
  throw new StoreError(
    `The file ${named} is a symbolic link to ${linked}, whose folder does not exist. Make the folder, or correct the link.`,
  );
};

/**
 * The file of a store, behind any links.
 *
 * @throws StoreError where something else is there, or in place of a file that belongs beside it
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
        `${file}${beside} is ${found}, in place of a file that belongs to the store ${file}. Move it away.`,
      );
  }
  return file;
};
