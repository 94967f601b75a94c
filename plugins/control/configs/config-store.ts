import {
  countOf,
  lacksNulCharacters,
  type Page,
  type PageResult,
  paginate,
  pickByIdOrSlug,
  type Reading,
} from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../store/tables.ts';

const inWorkspace = (db: Reading, tenant: string) => db.selectFrom('configs').where('workspace_id', '=', tenant);

/** The config of a workspace that an id or a slug names; an id is looked for first. */
export const findConfig = async (db: Reading, tenant: string, name: string): Promise<ConfigRow | undefined> =>
  lacksNulCharacters(name)
    ? pickByIdOrSlug(
        await inWorkspace(db, tenant)
          .selectAll()
          .where((where) => where.or({ id: name, slug: name }))
          .execute(),
        name,
      )
    : undefined;

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

export const countConfigs = (db: Reading, tenant: string): Promise<number> => countOf(inWorkspace(db, tenant));

/** The configs of a workspace, the newest first. */
export const listConfigs = (db: Reading, tenant: string, page: Page): Promise<PageResult<ConfigRow>> =>
  paginate(inWorkspace(db, tenant).selectAll().orderBy('id', 'desc'), page);

/** The versions of a config, the newest first. */
export const listVersions = (
  db: Reading,
  { id, workspace_id }: ConfigRow,
  page: Page,
): Promise<PageResult<ConfigVersionRow>> =>
  paginate(
    db
      .selectFrom('config_versions')
      .selectAll()
      .where('workspace_id', '=', workspace_id)
      .where('config_id', '=', id)
      .orderBy('number', 'desc'),
    page,
  );

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
