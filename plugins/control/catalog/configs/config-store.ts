import { fromJson } from '../../../../schema/json/from-json.ts';
import type { StoredDefaults } from '../../access/keys/key-principal.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { storedSettings } from '../../kernel/records/stored-settings.ts';
import { createVersionedStore, type VersionedStore } from '../../kernel/resource/versioned-store.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ConfigRow, ConfigVersionRow } from '../../kernel/store/tables.ts';

interface ConfigUse {
  readonly config: ConfigRow;
  readonly organisation: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const keysWith = async (writing: Writing, { config, organisation, now }: ConfigUse): Promise<readonly string[]> => {
  const names = [config.id, config.slug];
  const rows = await writing
    .selectFrom('keys')
    .select(['id', 'name', 'defaults'])
    .where('organisation_id', '=', organisation)
    .where((where) => where.or([where('workspace_id', '=', config.workspace_id), where('workspace_id', 'is', null)]))
    .where('status', '!=', 'revoked')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    // A first selection of rows, because `_` in a slug matches any character here.
    .where((where) => where.or(names.map((name) => where('defaults', 'like', `%"${name}"%`))))
    .orderBy('id')
    .execute();
  return rows
    .filter(({ defaults }) => names.includes((fromJson(defaults) as StoredDefaults).config_id ?? ''))
    .map(({ id, name }) => `the key "${name}" (${id})`);
};

/** Returns the virtual models that stand for a config. */
const virtualModelsFor = async (writing: Writing, { slug, workspace_id }: ConfigRow): Promise<readonly string[]> => {
  const rows = await writing
    .selectFrom('virtual_models')
    .select('name')
    .where('workspace_id', '=', workspace_id)
    .where('target', '=', `config:${slug}`)
    .orderBy('id')
    .execute();
  return rows.map(({ name }) => `the virtual model "${name}"`);
};

/** Whether a config is the one that its organisation names, even if its workspace has a default of its own. */
const isOrganisations = async (
  writing: Writing,
  { config: { id, slug }, organisation }: ConfigUse,
): Promise<boolean> => {
  const { settings } = await writing
    .selectFrom('organisations')
    .select('settings')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow();
  const { config } = storedSettings('organisation', { id: organisation, settings });
  return config === id || config === slug;
};

/**
 * Lists, in words, what uses a config as its default (its workspace, its organisation, and keys that are in use), and the virtual
 * models that stand for it.
 */
export const usesOfConfig = async (writing: Writing, use: ConfigUse): Promise<readonly string[]> => {
  const { id, slug, is_default, workspace_id } = use.config;
  const workspace = await writing
    .selectFrom('workspaces')
    .select(['id', 'slug', 'settings'])
    .where('id', '=', workspace_id)
    .where('organisation_id', '=', use.organisation)
    .executeTakeFirst();
  const { config } = workspace === undefined ? {} : storedSettings('workspace', workspace);
  const isWorkspaces = is_default === 1 || config === id || config === slug;
  return [
    ...(isWorkspaces ? [`the workspace "${workspace?.slug}"`] : []),
    ...((await isOrganisations(writing, use)) ? ['the organisation'] : []),
    ...(await keysWith(writing, use)),
    ...(await virtualModelsFor(writing, use.config)),
  ];
};

/**
 * Returns the version of a config that is in use. Rejects with the `GatewayError` `not-found` if the config was deleted after its
 * row was read.
 */
export const versionInService = async (
  db: Reading,
  { workspace_id, version_id, slug }: ConfigRow,
): Promise<ConfigVersionRow> => {
  const version = await db
    .selectFrom('config_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', version_id)
    .executeTakeFirst();
  if (version === undefined) throw configStore.unknown(slug);
  return version;
};

/** The version that was in use at a time, and its neighbours. */
const maxCandidates = 3;

/** Returns the versions that were created up to a time, the newest first, at most three. */
export const versionsUntil = (
  db: Reading,
  { workspace_id, id }: ConfigRow,
  time: number,
): Promise<readonly ConfigVersionRow[]> =>
  db
    .selectFrom('config_versions')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('config_id', '=', id)
    .where('created_at', '<=', time)
    .orderBy('number', 'desc')
    .limit(maxCandidates)
    .execute();

/** Clears the default flag of any other config that has it. Its entity tag changes too. */
export const clearOtherDefault = async (writing: Writing, row: ConfigRow): Promise<void> => {
  const { id, workspace_id, updated_at, is_default } = row;
  if (is_default === 0) return;
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

export const configStore: VersionedStore<ConfigRow, ConfigVersionRow, ConfigVersionRow, ConfigVersionRow> =
  createVersionedStore({
    noun: 'config',
    path: '/configs',
    table: 'configs',
    versions: 'config_versions',
    parent: 'config_id',
    changes: ['name', 'is_default', 'version_id'],
    heads: ['id', 'config_id', 'workspace_id', 'number', 'text', 'sealed', 'created_by', 'created_at'],
  });
