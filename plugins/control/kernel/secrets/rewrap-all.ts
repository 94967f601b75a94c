import { masterInUse, writeCanary } from './canary.ts';
import { toDataKey } from './data-keys.ts';
import type { MasterKey } from './master-key.ts';
import type { SecretStore } from './secret-store.ts';
import { type MasterRing, toWrapper, unwrap, wrap } from './wrap.ts';
import { writeKeys } from './write-keys.ts';

const rowsInStatement = 100;

/**
 * Wraps all data keys and the canary with another master key, in one transaction. What it has wrapped already stays, so it
 * may be called again with the same key.
 */
export const rewrapAll = (store: SecretStore, ring: MasterRing, next: MasterKey): Promise<void> =>
  writeKeys(store, async (writing) => {
    const current = await masterInUse(writing, ring, next);
    const rows = await writing.selectFrom('data_keys').selectAll().execute();
    const others = rows.filter((row) => toWrapper(row.wrapped, toDataKey(row)) !== next.id);
    for (let at = 0; at < others.length; at += rowsInStatement) {
      const rewrapped = others.slice(at, at + rowsInStatement).map((row) => {
        const what = toDataKey(row);
        return { ...row, wrapped: wrap(unwrap(row.wrapped, what, ring), what, next) };
      });
      await writing
        .insertInto('data_keys')
        .values(rewrapped)
        .onConflict((same) => same.column('id').doUpdateSet({ wrapped: (row) => row.ref('excluded.wrapped') }))
        .execute();
    }
    if (current.id !== next.id) await writeCanary(writing, next);
  });
