import type { Store, Writing } from '../store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../store/tables.ts';

type Reading = Pick<Writing, 'selectFrom'>;

/** The part of a list that is asked for. */
export interface Part {
  readonly limit: number;
  readonly offset: number;
}

export interface ConfigList<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** The config of a workspace that an id or a slug names; an id is looked for first. */
export const findConfig = async (db: Reading, tenant: string, name: string): Promise<ConfigRow | undefined> => {
  // No text in the store has it, and PostgreSQL refuses it.
  if (name.includes('\u0000')) return undefined;
  const rows = await db
    .selectFrom('configs')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return rows.find(({ id }) => id === name) ?? rows[0];
};

/** The version of a config that is in service. Rejects if there is none, which the store does not allow. */
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

export const countConfigs = async (db: Reading, tenant: string): Promise<number> => {
  const { total } = await db
    .selectFrom('configs')
    .select((select) => select.fn.countAll().as('total'))
    .where('workspace_id', '=', tenant)
    .executeTakeFirstOrThrow();
  return Number(total);
};

/** The configs of a workspace, the newest first. */
export const listConfigs = async (db: Reading, tenant: string, part: Part): Promise<ConfigList<ConfigRow>> => ({
  total: await countConfigs(db, tenant),
  rows: await db
    .selectFrom('configs')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute(),
});

/** The versions of a config, the newest first. */
export const listVersions = async (
  db: Reading,
  { id, workspace_id }: ConfigRow,
  part: Part,
): Promise<ConfigList<ConfigVersionRow>> => {
  const { total } = await db
    .selectFrom('config_versions')
    .select((select) => select.fn.countAll().as('total'))
    .where('workspace_id', '=', workspace_id)
    .where('config_id', '=', id)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('config_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('config_id', '=', id)
    .orderBy('number', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute();
  return { total: Number(total), rows };
};

/** A workspace has one default at most: no other config is it from here on. */
const clearDefault = async (writing: Writing, { id, workspace_id, updated_at }: ConfigRow): Promise<void> => {
  await writing
    .updateTable('configs')
    .set({ is_default: 0, updated_at })
    .where('workspace_id', '=', workspace_id)
    .where('id', '!=', id)
    .where('is_default', '=', 1)
    .execute();
};

/** Adds a config with its first version. Rejects with what `isConflict` knows if the workspace has its slug. */
export const insertConfig = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: ConfigRow; readonly version: ConfigVersionRow },
): Promise<void> => {
  if (row.is_default === 1) await clearDefault(writing, row);
  await writing.insertInto('configs').values(row).execute();
  await writing.insertInto('config_versions').values(version).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/** Changes a config, and adds a version where there is a new one. */
export const changeConfig = async (
  store: Store,
  writing: Writing,
  { row, version }: { readonly row: ConfigRow; readonly version?: ConfigVersionRow | undefined },
): Promise<void> => {
  if (row.is_default === 1) await clearDefault(writing, row);
  if (version !== undefined) await writing.insertInto('config_versions').values(version).execute();
  const { name, is_default, version_id, updated_at } = row;
  await writing
    .updateTable('configs')
    .set({ name, is_default, version_id, updated_at })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  await store.bump(writing, 'plans', row.workspace_id);
};

/** Deletes a config with all its versions. */
export const deleteConfig = async (store: Store, writing: Writing, { id, workspace_id }: ConfigRow): Promise<void> => {
  await writing
    .deleteFrom('config_versions')
    .where('workspace_id', '=', workspace_id)
    .where('config_id', '=', id)
    .execute();
  await writing.deleteFrom('configs').where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
  await store.bump(writing, 'plans', workspace_id);
};
