import { closeSync, existsSync, openSync, readlinkSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
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

/** The byte of a file at which SQLite notes how it is written: 1 without a `-wal`, as backups are, and 2 with one. */
const versionAt = 18;
/** The length of the header of a `-wal`, which is followed by the changes. */
const journalHeader = 32;

const readByte = (file: string, at: number): number | undefined => {
  const handle = openSync(file, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(handle, byte, 0, 1, at) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(handle);
  }
};

/** Whether the `-wal` of a file has changes. */
const hasChanges = (file: string): boolean =>
  (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > journalHeader;

/**
 * Refuses a backup that was copied over a store whose gateway did not end properly: SQLite would write the changes in the `-wal`
 * of that store into it, and damage it.
 */
const refuseForeignJournal = (file: string): void => {
  if (!hasChanges(file) || !existsSync(file) || readByte(file, versionAt) !== 1) return;
  throw new StoreError(
    `The file ${file}-wal has changes of an earlier file that ${file} has replaced, which would damage it. Remove ${file}-wal and ${file}-shm.`,
  );
};

/** Refuses a store that is missing or empty beside its changes, because SQLite deletes these even if it only reads. */
const refuseLost = (file: string): void => {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if ((size ?? 0) > 0 || !hasChanges(file)) return;
  throw new StoreError(
    `The file ${file}-wal has changes of the store ${file}, which is ${size === undefined ? 'not there' : 'empty'}, and they would be deleted. Put the store back, restore a backup, or, to start with a new one, move ${file}-wal away.`,
  );
};

/**
 * Refuses a file that has several names. SQLite keeps its changes beside the name by which it was opened, and so does the gateway
 * the lock, so that programs that use different names would damage it.
 */
const refuseHardLink = (file: string): void => {
  const names = statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names <= 1) return;
  throw new StoreError(
    `The file ${file} has ${names} names (hard links), and programs that open it by different ones would damage it. Remove the other names, which \`find -samefile\` lists, or name a copy of the file.`,
  );
};

/**
 * Returns the file of a store, with links resolved.
 *
 * @throws StoreError if something else is there, or in place of a file that belongs next to it
 */
export const findStoreFile = (named: string, { isLog = false }: { readonly isLog?: boolean } = {}): string => {
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
  refuseHardLink(file);
  // A log that was deleted begins anew.
  if (!isLog) refuseLost(file);
  refuseForeignJournal(file);
  return file;
};
