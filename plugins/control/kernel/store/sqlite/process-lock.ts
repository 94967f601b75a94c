import { closeSync, openSync } from 'node:fs';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { StoreError } from '../store.ts';
import { findSqliteCode, isBusyCode, toFailure } from './failure.ts';
import { watchPath } from './move-guard.ts';

/**
 * `node:sqlite`, of which Node warns that it is experimental; this thread does not pass that warning on. A plain import
 * would be evaluated too early for that.
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
 * Makes an empty file that its owner alone may read, if there is none; returns whether it did. A file that is there is not
 * even opened: closing it would end the locks that this process has on it.
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
 * Makes this process the one that holds a lock, until what is returned is called or the process ends, however it ends;
 * undefined if another process holds it. The lock is a transaction of an empty database, which the system gives up with the
 * process.
 */
export const takeProcessLock = (lockFile: string): (() => void) | undefined => {
  makePrivateFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusyCode(error)) throw error;
    return undefined;
  }
  return () => lock.close();
};

/** A process that was stopped goes on for a while: it drains. */
export const servedElsewhere = (file: string): StoreError =>
  new StoreError(
    `The store ${file} is served by another process, and one at a time can serve it. End that process, which may take some seconds, or keep the store in PostgreSQL.`,
  );

/**
 * Names the lock of a store in an error of SQLite: it has an owner and rights of its own, whatever those of the store are. What is no
 * error of SQLite stays as it is, since there is no lock then.
 */
export const toLockError = (error: unknown, lockFile: string): unknown =>
  findSqliteCode(error) === undefined ? error : new StoreError(toFailure(error, lockFile).message, { cause: error });

/** The lock of the process that serves a file. */
export interface ServingLock {
  /**
   * Takes the lock again where its file is no longer at its path: the system keeps a lock on a file that was deleted, and another process
   * would make and lock a new one.
   *
   * @throws StoreError if another process has done so
   */
  readonly keep: () => void;
  /** Gives the lock up. */
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
