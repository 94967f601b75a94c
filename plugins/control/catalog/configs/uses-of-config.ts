import { fromJson } from '../../../../schema/json/from-json.ts';
import type { StoredDefaults } from '../../access/identity/service-keys/key-principal.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { ConfigRow } from '../../kernel/store/tables/tables.ts';

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
    // Only those that may name it: `_` in a slug stands for any character here.
    .where((where) => where.or(names.map((name) => where('defaults', 'like', `%"${name}"%`))))
    .orderBy('id')
    .execute();
  return rows
    .filter(({ defaults }) => names.includes((fromJson(defaults) as StoredDefaults).config_id ?? ''))
    .map(({ id, name }) => `the key "${name}" (${id})`);
};

/** Lists in words whose default a config is: its workspace's, and those of keys that are in use. */
export const usesOfConfig = async (writing: Writing, use: ConfigUse): Promise<readonly string[]> => {
  const { id, slug, is_default, workspace_id } = use.config;
  const workspace = await writing
    .selectFrom('workspaces')
    .select(['slug', 'settings'])
    .where('id', '=', workspace_id)
    .where('organisation_id', '=', use.organisation)
    .executeTakeFirst();
  const { config } = fromJson(workspace?.settings ?? '{}') as { readonly config?: string };
  const isWorkspaces = is_default === 1 || config === id || config === slug;
  return [...(isWorkspaces ? [`the workspace "${workspace?.slug}"`] : []), ...(await keysWith(writing, use))];
};
