import type { TenantId } from '../../../sdk/exchange.ts';
import type { Store } from '../../store/store.ts';
import type { ProviderBatchRow } from '../../store/tables.ts';

export interface CollectedFiles {
  readonly output?: string;
  readonly error?: string;
}

/** What is kept of batches that providers run in a form of their own. */
export interface ProviderBatchStore {
  insert(row: ProviderBatchRow): Promise<void>;
  find(tenant: TenantId, id: string): Promise<ProviderBatchRow | undefined>;
  /** Notes the files with the results; false if another process was first. */
  collected(tenant: TenantId, id: string, files: CollectedFiles): Promise<boolean>;
}

export const createProviderBatchStore = ({ store }: { readonly store: Store }): ProviderBatchStore => ({
  insert: (row) =>
    store.write(async (writing) => {
      await writing.insertInto('provider_batches').values(row).execute();
    }),
  find: (tenant, id) =>
    store.db
      .selectFrom('provider_batches')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('remote_id', '=', id)
      .executeTakeFirst(),
  collected: (tenant, id, { output, error }) =>
    store.write(async (writing) => {
      const { numUpdatedRows } = await writing
        .updateTable('provider_batches')
        .set({ is_collected: 1, output_file_id: output ?? null, error_file_id: error ?? null })
        .where('workspace_id', '=', tenant)
        .where('remote_id', '=', id)
        .where('is_collected', '=', 0)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    }),
});
