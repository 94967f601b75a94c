import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import { standingThread } from './standing-thread.ts';

export interface TemporaryStore extends AsyncDisposable {
  readonly store: Store;
}

const inNewFolder = (): { readonly file: string; remove(): void } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-store-'));
  return { file: path.join(folder, 'gateway.db'), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** Returns the bytes of an empty store after all migrations. */
const readMigrated = async (): Promise<Buffer> => {
  const { file, remove } = inNewFolder();
  const store = await openStore({ url: file, thread: standingThread(file) });
  await store.close();
  const bytes = readFileSync(file);
  remove();
  return bytes;
};

let migrated: Promise<Buffer> | undefined;

/**
 * Opens the store in a file, which is created if it does not exist. Each process of tests migrates a store once and copies it for
 * the others, because migrations take most of the time of a test with a store.
 */
export const openFile = async (file: string, serving = true): Promise<Store> => {
  if (!existsSync(file)) {
    migrated ??= readMigrated();
    const bytes = await migrated;
    if (!existsSync(file)) writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  }
  return openStore({ url: file, serving, thread: standingThread(file) });
};

/** Opens a store in a new file, which is deleted when the store is disposed of. */
export const temporaryStore = async (): Promise<TemporaryStore> => {
  const { file, remove } = inNewFolder();
  const store = await openFile(file);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      remove();
    },
  };
};
