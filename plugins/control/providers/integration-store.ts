import type { OrganisationId, TenantId } from '../../sdk/exchange.ts';
import { storedWorkspaceLimits } from '../policies/limited.ts';
import { type PageQuery, toPage } from '../saved/paging.ts';
import {
  countOf,
  lacksNulCharacters,
  type PageResult,
  paginate,
  pickByIdOrSlug,
  type Reading,
} from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { IntegrationRow } from '../store/tables.ts';

const inOrganisation = (db: Reading, organisation: OrganisationId) =>
  db.selectFrom('integrations').where('organisation_id', '=', organisation);

/** The integration of an organisation with a slug. */
export const findIntegration = (
  db: Reading,
  organisation: OrganisationId,
  slug: string,
): Promise<IntegrationRow | undefined> =>
  inOrganisation(db, organisation).selectAll().where('slug', '=', slug).executeTakeFirst();

/** The integration of an organisation with an id or else with a slug. */
export const findNamedIntegration = async (
  db: Reading,
  organisation: OrganisationId,
  name: string,
): Promise<IntegrationRow | undefined> =>
  lacksNulCharacters(name)
    ? pickByIdOrSlug(
        await inOrganisation(db, organisation)
          .selectAll()
          .where((where) => where.or({ id: name, slug: name }))
          .execute(),
        name,
      )
    : undefined;

/** Whose integrations are listed: those of an organisation, or those of them that one workspace may use. */
export interface IntegrationSight {
  readonly organisation: OrganisationId;
  readonly workspace?: TenantId | undefined;
}

/** A page of them, the newest first. */
export const listIntegrations = (
  { db }: Store,
  { organisation, workspace }: IntegrationSight,
  page: PageQuery,
): Promise<PageResult<IntegrationRow>> => {
  const all = inOrganisation(db, organisation);
  const inSight =
    workspace === undefined
      ? all
      : all.where((where) =>
          // The column is a JSON list of ids, or null for all workspaces.
          where.or([where('workspaces', 'is', null), where('workspaces', 'like', `%"${workspace}"%`)]),
        );
  return paginate(inSight.selectAll().orderBy('id', 'desc'), toPage(page));
};

/** Tells those who follow the limits of all workspaces that have any in an integration. */
const bumpLimits = async (store: Store, writing: Writing, texts: readonly (string | null)[]): Promise<void> => {
  const workspaces = new Set(texts.flatMap((text) => Object.keys(storedWorkspaceLimits(text))));
  for (const workspace of workspaces) await store.bump(writing, 'policies', workspace);
};

/** How many integrations an organisation has. */
export const countIntegrations = (db: Reading, organisation: string): Promise<number> =>
  countOf(db.selectFrom('integrations').where('organisation_id', '=', organisation));

export const insertIntegration = async (store: Store, writing: Writing, row: IntegrationRow): Promise<void> => {
  await writing.insertInto('integrations').values(row).execute();
  await store.bump(writing, 'plans', row.organisation_id);
};

/** Replaces a record by another with the same id; its providers call what it calls. */
export const replaceIntegration = async (store: Store, writing: Writing, row: IntegrationRow): Promise<void> => {
  const { id, organisation_id, ...columns } = row;
  const before = await writing
    .selectFrom('integrations')
    .select('workspace_limits')
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .executeTakeFirst();
  await writing
    .updateTable('integrations')
    .set(columns)
    .where('id', '=', id)
    .where('organisation_id', '=', organisation_id)
    .execute();
  await writing
    .updateTable('providers')
    .set({ provider: row.provider, updated_at: row.updated_at })
    .where('integration_id', '=', id)
    .where('provider', '!=', row.provider)
    .execute();
  await store.bump(writing, 'plans', row.organisation_id);
  await bumpLimits(store, writing, [before?.workspace_limits ?? null, row.workspace_limits]);
};

export const deleteIntegration = async (store: Store, writing: Writing, row: IntegrationRow): Promise<void> => {
  await writing
    .deleteFrom('integrations')
    .where('id', '=', row.id)
    .where('organisation_id', '=', row.organisation_id)
    .execute();
  await store.bump(writing, 'plans', row.organisation_id);
};

/** How many providers, of all workspaces, use an integration. */
export const countProvidersOf = (db: Reading, { id }: IntegrationRow): Promise<number> =>
  countOf(db.selectFrom('providers').where('integration_id', '=', id));

/** The workspaces of an organisation, by their ids and their slugs. */
export const workspacesByName = async (
  db: Reading,
  organisation: OrganisationId,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .where('organisation_id', '=', organisation)
    .execute();
  return new Map([...rows.map(({ id, slug }) => [slug, id] as const), ...rows.map(({ id }) => [id, id] as const)]);
};
