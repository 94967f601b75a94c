import { closeSync, openSync } from 'node:fs';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { StoreError } from '../store.ts';
import { assertWritable, findSqliteCode, isBusyCode, toFailure } from './failure.ts';
import { watchPath } from './move-guard.ts';

/**
 * Loads `node:sqlite` without the warning of Node that it is experimental. A plain import would be evaluated too early to
 * suppress it.
 */
const load = (): typeof import('node:sqlite') => {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};

export const DatabaseSync: typeof import('node:sqlite').DatabaseSync = load().DatabaseSync;
export type Connection = InstanceType<typeof DatabaseSync>;

/**
 * Creates an empty file that only its owner can read, if there is none; returns whether it did. An existing file is not even
 * opened, because closing it would release the locks that this process has on it.
 */
export const makePrivateFile = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
};

/**
 * Takes a lock for this process, until the returned function is called or the process ends, however it ends; returns undefined if
 * another process holds it. The lock is a transaction of an empty database, which the operating system releases with the process.
 */
export const takeProcessLock = (lockFile: string): (() => void) | undefined => {
  makePrivateFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    assertWritable(lockFile);
  } catch (error) {
    lock.close();
    if (!isBusyCode(error)) throw error;
    return undefined;
  }
  return () => lock.close();
};

/** A process that was stopped continues for a while, because it drains. */
export const servedElsewhere = (file: string): StoreError =>
  new StoreError(
    `The store ${file} is served by another process, and only one process at a time can serve it. End that process, which may take some seconds, or keep the store in PostgreSQL.`,
  );

/**
 * Converts an SQLite error to one that names the lock of a store, which has an owner and permissions of its own, whatever those
 * of the store. Other errors stay as they are, because then there is no lock.
 */
export const toLockError = (error: unknown, lockFile: string): unknown =>
  findSqliteCode(error) === undefined ? error : new StoreError(toFailure(error, lockFile).message, { cause: error });

/** The lock of the process that serves a file. */
export interface ServingLock {
  /**
   * Takes the lock again if its file is no longer at its path. The operating system keeps a lock on a deleted file, so another
   * process could create and lock a new one.
   *
   * @throws StoreError if another process has done so
   */
  readonly keep: () => void;
  /** Releases the lock. */
  readonly release: () => void;
}

const takeLock = (lockFile: string): (() => void) | undefined => {
  try {
    return takeProcessLock(lockFile);
  } catch (error) {
    throw toLockError(error, lockFile);
  }
};

const lostLock = (file: string, lockFile: string): StoreError =>
  new StoreError(
    `The file ${lockFile} was deleted or moved while the store ${file} was open, and another process serves the store now. End one of the two, and leave that file where it is.`,
  );

/**
 * Makes this process the one that serves a file, until it releases the lock or ends, however it ends.
 *
 * @throws StoreError if another process serves the file, or the lock cannot be opened
 */
export const takeServingLock = (file: string): ServingLock => {
  const lockFile = `${file}.lock`;
  let unlock = takeLock(lockFile);
  if (unlock === undefined) throw servedElsewhere(file);
  let look = watchPath(lockFile);
  return {
    keep() {
      if (look() === 'same') return;
      const again = takeLock(lockFile);
      if (again === undefined) throw lostLock(file, lockFile);
      unlock?.();
      unlock = again;
      look = watchPath(lockFile);
    },
    release: () => unlock?.(),
  };
};
