import { StoreError } from '../store.ts';
import { makePrivateFile } from './private-file.ts';
import { DatabaseSync } from './sqlite-module.ts';

const busy = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === busy;

/**
 * Makes this process the one that serves a file, until what is returned is called or the process ends, however it ends. The
 * lock is a transaction of an empty database beside the file, which the system gives up with the process.
 *
 * @throws StoreError if another process serves the file
 */
export const takeServingLock = (file: string): (() => void) => {
  const lockFile = `${file}.lock`;
  makePrivateFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new StoreError(
      `The store ${file} is served by another process, and one at a time can serve it. End that process, or keep the store in PostgreSQL.`,
    );
  }
  return () => lock.close();
};
