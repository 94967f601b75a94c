import { accessSync, constants, statSync } from 'node:fs';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { StoreError } from '../store.ts';
import type { Failure } from '../thread-failure.ts';

/** Returns the extended result code of an SQLite error: https://www.sqlite.org/rescode.html */
export const findSqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** Returns the primary result code of an SQLite error; 0 if it has none. */
export const toPrimaryCode = (error: unknown): number => (findSqliteCode(error) ?? 0) & 0xff;

const busy = 5;
const full = 13;
/**
 * SQLITE_IOERR_SHMSIZE: there is no room for the file `-shm`, which SQLite opens next to the database before it reads anything.
 */
const noRoom = 4874;
/** SQLITE_READONLY, and SQLITE_CANTOPEN for a journal that cannot be created. */
const unwritable = [8, 14];

/** Whether SQLite refused a statement because another process holds what it needs. */
export const isBusyCode = (error: unknown): boolean => toPrimaryCode(error) === busy;

/** By SQLite's primary result code (https://www.sqlite.org/rescode.html): what is wrong with a file, and what to do. */
const sentences: Readonly<Record<number, string>> = {
  5: 'has been locked by another process for too long. Try again, or end that process.',
  6: 'has been locked by another process for too long. Try again, or end that process.',
  8: 'cannot be written. Give this user the right to write it and its folder.',
  10: 'cannot be read or written: the disk reports an error. Check the disk.',
  11: 'is damaged. Restore a backup, and remove the files beside it that end in -wal and -shm.',
  13: 'cannot grow: the disk is full. Make room.',
  14: 'cannot be opened. Give this user the right to read and write it and its folder, and check the limit of open files (ulimit -n).',
  26: 'is not an SQLite database. Name another file.',
};

/** The instruction for a file that was truncated, as the end of a sentence. */
export const whatIsLeft =
  'restore a backup of the database, or, to begin with an empty one, move it and the files beside it that end in -wal and -shm away.';

/** SQLITE_CORRUPT and SQLITE_NOTADB, for a file whose pages are missing. */
const unreadable = [11, 26];

const systemSentences: Readonly<Record<string, string>> = {
  ENOENT: 'is in a folder that does not exist. Create the folder.',
  ENOTDIR: 'is in a folder that does not exist. Create the folder.',
  EISDIR: 'is a folder. Name a file.',
  EACCES: 'cannot be created or opened. Give this user the right to write it and its folder.',
  EPERM: 'cannot be created or opened. Give this user the right to write it and its folder.',
  EROFS: 'is on a disk that is mounted read-only. Mount it so that it can be written, or name another folder.',
  ENOSPC: 'cannot be created: the disk is full. Make room.',
  ELOOP: 'is a symbolic link that refers to itself. Correct the link.',
  EMFILE: 'cannot be opened: too many files are open. Raise the limit of open files: ulimit -n.',
  ENAMETOOLONG: 'has a name that is too long. Name another file.',
  ERR_INVALID_ARG_VALUE: 'has the character U+0000 in its name. Name another file.',
};

/** Whether a file is on a read-only disk, whatever the permissions of the file. */
const isOnReadOnlyDisk = (file: string): boolean => {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EROFS';
  }
};

/**
 * Refuses a file that this user may only read, although SQLite opens it, and even begins transactions that lock nothing.
 *
 * @throws StoreError
 */
export const assertWritable = (file: string): void => {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) throw error;
    throw new StoreError(`The file ${file} ${sentences[8]}`);
  }
};

const findSentence = (error: Error, file: string): string | undefined => {
  const code = findSqliteCode(error);
  if (code === undefined) return systemSentences[errorCode(error) ?? ''];
  const primary = code === noRoom ? full : toPrimaryCode(error);
  if (unreadable.includes(primary) && statSync(file, { throwIfNoEntry: false })?.size === 0)
    return `is empty, and what it contained is lost: ${whatIsLeft}`;
  return unwritable.includes(primary) && isOnReadOnlyDisk(file) ? systemSentences.EROFS : sentences[primary];
};

/** Converts an error for the other thread. */
export const toFailure = (error: unknown, file: string): Failure => {
  if (error instanceof StoreError) return { message: error.message, store: true, code: findSqliteCode(error.cause) };
  if (!(error instanceof Error)) return { message: String(error) };
  const code = findSqliteCode(error);
  const sentence = findSentence(error, file);
  if (sentence !== undefined) return { message: `The file ${file} ${sentence}`, store: true, code };
  return { message: error.message, code };
};

/** Whether another process has locked the file for too long: SQLITE_BUSY, or SQLITE_LOCKED, which is 6. */
export const isBusy = (error: unknown): boolean =>
  error instanceof StoreError && [busy, 6].includes(toPrimaryCode(error.cause));
