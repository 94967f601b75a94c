import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { StoreError } from '../store.ts';
import { whatIsLeft } from './failure.ts';

/** Watches the sizes of a database's files while it is open. */
export interface TruncationGuard {
  /** @throws StoreError if the database or its `-wal` was truncated */
  refuseTruncated(): void;
  /**
   * Gives `-shm` its size again if it was truncated. SQLite has it in memory, where reading beyond the end of a file ends the
   * process. When a transaction begins, it finds zeros instead, and creates the content again from the `-wal`. Must not be called
   * during a transaction of this process.
   */
  extendIndex(): void;
  /** Must be called after SQLite has closed the database, because it releases the locks that this process has on `-shm`. */
  close(): void;
}

/** The header of `-shm` up to the number of frames that are copied to the database: https://www.sqlite.org/walformat.html */
const headerBytes = 100;
const walHeaderBytes = 32;
const frameHeaderBytes = 24;

const findSize = (file: string): number | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size;
  } catch {
    return undefined;
  }
};

/** Returns the least size that the `-wal` of a database can have, according to its `-shm`, which is in native byte order. */
const readWalSize = (index: number): number => {
  const words = new Uint32Array(headerBytes / 4);
  if (readSync(index, words, 0, headerBytes, 0) < headerBytes) return 0;
  const [frames = 0, copied = 0] = [words[4], words[24]];
  const pageBytes = new Uint16Array(words.buffer)[7] ?? 0;
  // The size 65536 is written as 1.
  const frameBytes = frameHeaderBytes + (pageBytes === 1 ? 65_536 : pageBytes);
  return frames === 0 || copied >= frames ? 0 : walHeaderBytes + frames * frameBytes;
};

/**
 * Creates the guard of a database. SQLite does not notice that a file was truncated while it is open, for example by an operator
 * who needs room: it would write on, and damage the database with the pages that are missing in the `-wal`.
 */
export const createTruncationGuard = (file: string): TruncationGuard => {
  const [wal, shm] = [`${file}-wal`, `${file}-shm`];
  let index: number | undefined;
  let indexSize = 0;

  const refuse = (name: string): never => {
    throw new StoreError(
      `The file ${name} was truncated while it was open, and what it contained is lost. Stop this program. Then ${whatIsLeft}`,
    );
  };
  const extendIndex = (): void => {
    const size = findSize(shm);
    if (size === undefined) return;
    if (size < indexSize) truncateSync(shm, indexSize);
    else indexSize = size;
  };
  const isWalTooShort = (): boolean => {
    const size = findSize(wal);
    if (size === undefined || indexSize === 0) return false;
    index ??= openSync(shm, 'r');
    return size < readWalSize(index);
  };

  return {
    extendIndex,
    refuseTruncated() {
      if (findSize(file) === 0) refuse(file);
      // Another process may have written in between, but not twice.
      if (isWalTooShort() && isWalTooShort()) refuse(wal);
    },
    close() {
      if (index !== undefined) closeSync(index);
      index = undefined;
    },
  };
};
