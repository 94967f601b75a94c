import { existsSync, linkSync, rmSync } from 'node:fs';
import { StoreError } from '../store.ts';
import { busyTimeout } from './open-file.ts';
import { makePrivateFile } from './private-file.ts';
import { DatabaseSync } from './sqlite-module.ts';

/** What opens secrets. Nothing of it remains in the pages of the copy, nor in a journal beside it. */
const removeKeys = `
  PRAGMA journal_mode = MEMORY;
  PRAGMA secure_delete = ON;
  DELETE FROM data_keys;
  DELETE FROM canary;
  VACUUM;
`;

const copyInto = (file: string, to: string): void => {
  const source = new DatabaseSync(file, { timeout: busyTimeout, readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec(removeKeys);
  } finally {
    copy.close();
  }
};

const refuseExisting = (to: string): never => {
  throw new StoreError(`The file ${to} exists already, and a backup replaces none. Name another file.`);
};

/**
 * Writes a copy of a file that others may be writing, without the keys that secrets are sealed with. It has its name when it
 * is complete.
 *
 * @throws StoreError if there is a file of that name
 */
export const copyFile = (file: string, to: string): void => {
  if (existsSync(to)) refuseExisting(to);
  const partial = `${to}.${process.pid}-${Date.now()}.partial`;
  makePrivateFile(partial);
  try {
    copyInto(file, partial);
    linkSync(partial, to);
  } catch (error) {
    if (existsSync(to)) refuseExisting(to);
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
};
