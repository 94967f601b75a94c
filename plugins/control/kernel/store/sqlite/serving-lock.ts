import { StoreError } from '../store.ts';
import { takeProcessLock } from './process-lock.ts';

/**
 * Makes this process the one that serves a file, until what is returned is called or the process ends, however it ends.
 *
 * @throws StoreError if another process serves the file
 */
export const takeServingLock = (file: string): (() => void) => {
  const unlock = takeProcessLock(`${file}.lock`);
  if (unlock !== undefined) return unlock;
  throw new StoreError(
    `The store ${file} is served by another process, and one at a time can serve it. End that process, or keep the store in PostgreSQL.`,
  );
};
