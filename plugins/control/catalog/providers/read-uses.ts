import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Reading } from '../../kernel/records/records.ts';
import type { ProviderRow } from '../../kernel/store/tables/tables.ts';
import { promptsSentTo } from '../prompts/store/versions-in-use.ts';

/** A saved provider or virtual key, as configs name it. */
export type Named = Pick<ProviderRow, 'kind' | 'slug' | 'id'>;

/** Whether a value names one anywhere: `@slug` and `@slug/model`, or `virtual_key`; its id is as good as its slug. */
const namesIt = (value: Json | undefined, named: Named): boolean => {
  const names = [named.slug, named.id];
  if (typeof value === 'string')
    return named.kind === 'provider' && names.some((name) => value === `@${name}` || value.startsWith(`@${name}/`));
  if (Array.isArray(value)) return value.some((item: Json) => namesIt(item, named));
  if (!isJsonObject(value)) return false;
  if (named.kind === 'virtual-key' && names.some((name) => value.virtual_key === name)) return true;
  return Object.values(value).some((member) => namesIt(member, named));
};

/** How those that name it begin: configs can go on with a model. */
const toNames = ({ kind, slug, id }: Named): readonly string[] =>
  [slug, id].map((name) => (kind === 'provider' ? `@${name}` : name));

/**
 * What names a saved provider or virtual key of a workspace, as words: the newest versions of its configs, what the workspace
 * says itself, and the versions of prompts that are in use.
 */
export const readUses = async (db: Reading, tenant: TenantId, named: Named): Promise<readonly string[]> => {
  const configs = await db
    .selectFrom('configs')
    .innerJoin('config_versions', 'config_versions.id', 'configs.version_id')
    .select(['configs.slug', 'config_versions.text'])
    .where('configs.workspace_id', '=', tenant)
    // Only those that may name it: `_` in a slug stands for any character here.
    .where((where) => where.or(toNames(named).map((name) => where('config_versions.text', 'like', `%"${name}%`))))
    .orderBy('configs.slug')
    .execute();
  const workspace = await db.selectFrom('workspaces').select('settings').where('id', '=', tenant).executeTakeFirst();
  const isOfWorkspace = workspace !== undefined && namesIt(parseJson(workspace.settings), named);
  return [
    ...configs.filter(({ text }) => namesIt(parseJson(text), named)).map(({ slug }) => `the config "${slug}"`),
    ...(isOfWorkspace ? ['the defaults of the workspace'] : []),
    ...(await promptsSentTo(db, tenant, toNames(named))).map((slug) => `the prompt "${slug}"`),
  ];
};
