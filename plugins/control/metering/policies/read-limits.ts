import {
  limitedIntegration,
  limitedKey,
  limitedProvider,
  limitedWorkspace,
  ownPolicies,
  toLimitPolicy,
} from '../../kernel/limits/active-policies.ts';
import type { LimitPolicy, PolicyCondition } from '../../kernel/limits/limit-policy.ts';
import { sharedLimits } from '../../kernel/limits/own-limits.ts';
import { isId } from '../../kernel/store/new-id.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { KeyRow } from '../../kernel/store/tables.ts';

/** Limits, and the tenant that they belong to. */
interface Owned {
  readonly tenant: string;
  readonly policies: readonly LimitPolicy[];
}

const namesIn = ({ key, values, excludes }: PolicyCondition): readonly string[] =>
  key === 'config' ? [...values, ...excludes] : [];

/**
 * Adds the slugs of configs to policies whose conditions name configs by id, because requests carry the slug. The slug of a
 * config never changes, so this stays correct until the policy changes. An id from another workspace matches nothing.
 */
const withConfigSlugs = async (db: Store['db'], owned: readonly Owned[]): Promise<readonly Owned[]> => {
  const conditions = owned.flatMap(({ policies }) => policies.flatMap((policy) => policy.conditions));
  const ids = new Set(conditions.flatMap(namesIn).filter(isId));
  if (ids.size === 0) return owned;
  const configs = await inChunks([...ids], (some) =>
    db.selectFrom('configs').select(['workspace_id', 'id', 'slug']).where('id', 'in', some).execute(),
  );
  const slugs = new Map(configs.map(({ workspace_id, id, slug }) => [`${workspace_id} ${id}`, slug]));
  return owned.map(({ tenant, policies }) => {
    const named = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => [name, slugs.get(`${tenant} ${name}`)]).filter((name) => name !== undefined);
    const toNamed = (condition: PolicyCondition): PolicyCondition =>
      condition.key === 'config'
        ? { ...condition, values: named(condition.values), excludes: named(condition.excludes) }
        : condition;
    return { tenant, policies: policies.map((policy) => ({ ...policy, conditions: policy.conditions.map(toNamed) })) };
  });
};

/** The limits of tenants, which are workspaces and organisations, by their ids. */
export type LimitsByTenant = ReadonlyMap<string, readonly LimitPolicy[]>;

type Db = Store['db'];
type Tenants = readonly string[] | undefined;

const ofPolicies = async (db: Db, tenants: Tenants): Promise<readonly Owned[]> => {
  const rows = await db
    .selectFrom('policies')
    .selectAll()
    .where('status', '=', 'active')
    .$if(tenants !== undefined, (all) => all.where('workspace_id', 'in', tenants ?? []))
    .orderBy('id')
    .execute();
  return withConfigSlugs(
    db,
    rows.map((row) => ({ tenant: row.workspace_id, policies: [toLimitPolicy(row)] })),
  );
};

/** Returns the ids of the keys whose limits are shared by keys of some organisations that are not revoked. */
const sharedBy = async (db: Db, organisations: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
  const sharing = await inChunks([...organisations], (some) =>
    db
      .selectFrom('keys')
      .select('limits')
      .where('organisation_id', 'in', some)
      .where('limits', 'like', '%"shares"%')
      .where('status', '!=', 'revoked')
      .execute(),
  );
  return new Set(sharing.flatMap(({ limits }) => sharedLimits(limits) ?? []));
};

/**
 * Reads the limits of keys. Those of an organisation's keys apply in all of its workspaces. Those of a revoked key apply to the
 * keys that it has created.
 */
const ofKeys = async (db: Db, tenants: Tenants): Promise<readonly Owned[]> => {
  const rows = await db
    .selectFrom('keys')
    .select(['id', 'name', 'limits', 'status', 'organisation_id', 'workspace_id'])
    .where('limits', 'is not', null)
    .$if(tenants !== undefined, (all) =>
      all.where((where) =>
        where.or([
          where('workspace_id', 'in', tenants ?? []),
          where.and([where('workspace_id', 'is', null), where('organisation_id', 'in', tenants ?? [])]),
        ]),
      ),
    )
    .orderBy('id')
    .execute();
  const isRevoked = ({ status }: Pick<KeyRow, 'status'>): boolean => status === 'revoked';
  const shared = await sharedBy(db, new Set(rows.filter(isRevoked).map(({ organisation_id }) => organisation_id)));
  return rows
    .filter((row) => !isRevoked(row) || shared.has(row.id))
    .map((row) => ({ tenant: row.workspace_id ?? row.organisation_id, policies: ownPolicies(limitedKey(row)) }));
};

const ofWorkspaces = async (db: Db, tenants: Tenants): Promise<readonly Owned[]> => {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'name', 'limits'])
    .where('limits', 'is not', null)
    .$if(tenants !== undefined, (all) => all.where('id', 'in', tenants ?? []))
    .execute();
  return rows.map((row) => ({ tenant: row.id, policies: ownPolicies(limitedWorkspace(row)) }));
};

const ofProviders = async (db: Db, tenants: Tenants): Promise<readonly Owned[]> => {
  const rows = await db
    .selectFrom('providers')
    .select(['id', 'kind', 'slug', 'limits', 'workspace_id'])
    .where('limits', 'is not', null)
    .$if(tenants !== undefined, (all) => all.where('workspace_id', 'in', tenants ?? []))
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ tenant: row.workspace_id, policies: ownPolicies(limitedProvider(row)) }));
};

/** Reads the limits of workspaces for integrations, which are counted for all of their providers together. */
const ofIntegrations = async (db: Db, tenants: Tenants): Promise<readonly Owned[]> => {
  const rows = await db
    .selectFrom('integrations')
    .innerJoin('providers', 'providers.integration_id', 'integrations.id')
    .select([
      ...(['integrations.id', 'integrations.name', 'integrations.workspace_limits'] as const),
      ...(['providers.slug', 'providers.workspace_id'] as const),
    ])
    .where('integrations.workspace_limits', 'is not', null)
    .$if(tenants !== undefined, (all) => all.where('providers.workspace_id', 'in', tenants ?? []))
    .orderBy('integrations.id')
    .orderBy('providers.id')
    .execute();
  const groups = Map.groupBy(rows, ({ id, workspace_id }) => `${id}/${workspace_id}`);
  return [...groups.values()].flatMap(([row, ...others]) => {
    if (row === undefined) return [];
    const slugs = [row, ...others].map(({ slug }) => slug);
    return [{ tenant: row.workspace_id, policies: ownPolicies(limitedIntegration(row, slugs)) }];
  });
};

/** Reads the limits in force of some tenants, or of all. Tenants without any are absent. */
export const readLimits = async (db: Db, tenants?: readonly string[]): Promise<LimitsByTenant> => {
  if (tenants?.length === 0) return new Map();
  const readers = [ofPolicies, ofKeys, ofWorkspaces, ofProviders, ofIntegrations];
  const owned = (await Promise.all(readers.map((read) => read(db, tenants)))).flat();
  const limiting = owned.filter(({ policies }) => policies.length > 0);
  const groups = Map.groupBy(limiting, ({ tenant }) => tenant);
  return new Map([...groups].map(([tenant, group]) => [tenant, group.flatMap(({ policies }) => policies)]));
};
