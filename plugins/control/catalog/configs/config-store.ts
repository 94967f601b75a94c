import type { Reading } from '../../kernel/records/records.ts';
import { createVersionedStore, type VersionedStore } from '../../kernel/resource/versioned-store.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables/tables.ts';

/** Reads the version of a config that is in service. Rejects if none exists, which the store does not allow. */
export const versionInService = async (
  db: Reading,
  { workspace_id, version_id }: ConfigRow,
): Promise<ConfigVersionRow> =>
  await db
    .selectFrom('config_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', version_id)
    .executeTakeFirstOrThrow();

/** Makes no other config the default: a workspace has one at most. What it was has another entity tag then. */
const clearDefault = async (writing: Writing, { id, workspace_id, updated_at }: ConfigRow): Promise<void> => {
  await writing
    .updateTable('configs')
    .set((column) => {
      const changedAt = column.case().when('updated_at', '<', updated_at).then(updated_at);
      return { is_default: 0, updated_at: changedAt.else(column('updated_at', '+', 1)).end() };
    })
    .where('workspace_id', '=', workspace_id)
    .where('id', '!=', id)
    .where('is_default', '=', 1)
    .execute();
};

const versioned: VersionedStore<ConfigRow, ConfigVersionRow, ConfigVersionRow, ConfigVersionRow> = createVersionedStore(
  {
    noun: 'config',
    path: '/configs',
    table: 'configs',
    versions: 'config_versions',
    parent: 'config_id',
    changes: ['name', 'is_default', 'version_id'],
    heads: ['id', 'config_id', 'workspace_id', 'number', 'text', 'sealed', 'created_by', 'created_at'],
  },
);

export const configStore: typeof versioned = {
  ...versioned,
  async insert(store, writing, written) {
    if (written.row.is_default === 1) await clearDefault(writing, written.row);
    await versioned.insert(store, writing, written);
  },
  async change(store, writing, written) {
    if (written.row.is_default === 1) await clearDefault(writing, written.row);
    await versioned.change(store, writing, written);
  },
};
