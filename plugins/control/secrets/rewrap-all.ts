import { masterInUse, writeCanary } from './canary.ts';
import { dataKeyOf } from './data-keys.ts';
import type { MasterKey } from './master-key.ts';
import type { SecretStore } from './secret-store.ts';
import { type MasterRing, unwrap, wrap, wrapperOf } from './wrap.ts';

/**
 * Wraps all data keys and the canary with another master key, in one transaction. What it has wrapped already stays, so it
 * may be called again with the same key.
 */
export const rewrapAll = (store: SecretStore, ring: MasterRing, next: MasterKey): Promise<void> =>
  store.write(async (writing) => {
    const current = await masterInUse(writing, ring, next);
    const rows = await writing.selectFrom('data_keys').select(['id', 'tenant', 'wrapped']).execute();
    for (const row of rows) {
      const what = dataKeyOf(row);
      if (wrapperOf(row.wrapped, what) === next.id) continue;
      const wrapped = wrap(unwrap(row.wrapped, what, ring), what, next);
      await writing.updateTable('data_keys').set({ wrapped }).where('id', '=', row.id).execute();
    }
    if (current.id !== next.id) await writeCanary(writing, next);
  });
