import { isBusyCode } from './busy-code.ts';
import { makePrivateFile } from './private-file.ts';
import { DatabaseSync } from './sqlite-module.ts';

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
