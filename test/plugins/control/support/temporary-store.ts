import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';

export interface TemporaryStore extends AsyncDisposable {
  readonly store: Store;
}

/** A store in a new file, which is gone afterwards. */
export const temporaryStore = async (): Promise<TemporaryStore> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-store-'));
  const store = await openStore({ url: path.join(folder, 'gateway.db') });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
