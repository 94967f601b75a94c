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

/** The endings of the files that SQLite creates next to a database when it is first used. */
const endings: readonly string[] = ['-wal', '-shm'];

/** Watches a path from the first call at which it has a file. */
const watchLater = (file: string): ReturnType<typeof watchPath> => {
  let look: ReturnType<typeof watchPath> | undefined;
  return () => {
    if (look === undefined && typeof findNumber(file) === 'bigint') look = watchPath(file);
    return look?.() ?? 'same';
  };
};

/**
 * Creates a function that throws once a path has a different file than now, or none, or the files that SQLite created next to it
 * are no longer there. SQLite continues with the files that it has open, whatever their paths lead to, and what it writes there
 * is lost with the process: in the mode of a write-ahead log it does not check. A process that opens the database meanwhile
 * creates other files next to it, and both would damage the database.
 */
export const createMoveGuard = (file: string): (() => void) => {
  const watched = [
    { name: file, look: watchPath(file) },
    ...endings.map((ending) => ({ name: `${file}${ending}`, look: watchLater(`${file}${ending}`) })),
  ];
  return () => {
    for (const { name, look } of watched) {
      const found = look();
      if (found === 'same') continue;
      const what = found === 'gone' ? 'was deleted or moved' : 'was replaced by another one';
      throw new StoreError(
        `The file ${name} ${what} while it was open, and what is written to it would be lost. Put the previous file back, or start this program again.`,
      );
    }
  };
};
