import { statSync } from 'node:fs';
import { errorCode } from '../../../../../schema/text/error-code.ts';
import { StoreError } from '../store.ts';

/** The codes of Node for a path that does not exist. */
const absent: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

/** Returns the inode number of the file at a path: `gone` if there is none, and undefined if that cannot be determined. */
const findNumber = (file: string): bigint | 'gone' | undefined => {
  try {
    return statSync(file, { bigint: true }).ino;
  } catch (error) {
    return absent.includes(errorCode(error)) ? 'gone' : undefined;
  }
};

/**
 * Creates a function that reports whether a path still has the same file as now. It returns `same` if that cannot be determined.
 */
export const watchPath = (file: string): (() => 'same' | 'gone' | 'replaced') => {
  const own = findNumber(file);
  return () => {
    const found = findNumber(file);
    if (own === undefined || found === undefined || found === own) return 'same';
    return found === 'gone' ? 'gone' : 'replaced';
  };
};

/**
 * Creates a function that throws once a path has a different file than now, or none. SQLite continues with the file that it has
 * open, whatever its path leads to, and what it writes there is lost with the process: in the mode of a write-ahead log it does
 * not check.
 */
export const createMoveGuard = (file: string): (() => void) => {
  const look = watchPath(file);
  return () => {
    const found = look();
    if (found === 'same') return;
    const what = found === 'gone' ? 'was deleted or moved' : 'was replaced by another one';
    throw new StoreError(
      `The file ${file} ${what} while it was open, and what is written to it would be lost. Put the previous file back, or start this program again.`,
    );
  };
};
