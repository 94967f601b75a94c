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

/** An empty store that has been through all migrations. */
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
 * Opens the store in a file, which is made where it is not there. Each process of tests migrates a store once, and others are copies of that: both take
 * most of what a test with a store costs.
 */
export const openFile = async (file: string, serving = true): Promise<Store> => {
  if (!existsSync(file)) {
    migrated ??= readMigrated();
    const bytes = await migrated;
    if (!existsSync(file)) writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  }
  return openStore({ url: file, serving, thread: standingThread(file) });
};

/** A store in a new file, which is gone afterwards. */
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
