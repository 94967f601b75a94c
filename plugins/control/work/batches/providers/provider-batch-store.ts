import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { ProviderBatchRow } from '../../../kernel/store/tables/tables.ts';
import type { BatchPlace } from './watched-batches.ts';

export interface CollectedFiles {
  readonly output?: string;
  readonly error?: string;
}

/** What is kept of batches that providers run in a form of their own. */
export interface ProviderBatchStore {
  insert(row: ProviderBatchRow): Promise<void>;
  find(tenant: TenantId, id: string): Promise<ProviderBatchRow | undefined>;
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
});

/** Notes the files with the results of a batch, if it is one whose results become files of the gateway. */
export const noteCollected = async (
  writing: Writing,
  { tenant, id }: Pick<BatchPlace, 'tenant' | 'id'>,
  { output, error }: CollectedFiles,
): Promise<void> => {
  await writing
    .updateTable('provider_batches')
    .set({ is_collected: 1, output_file_id: output ?? null, error_file_id: error ?? null })
    .where('workspace_id', '=', tenant)
    .where('remote_id', '=', id)
    .execute();
};
