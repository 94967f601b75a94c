import type { OrganisationId } from '../../sdk/exchange.ts';
import { type Page, pageOf } from '../saved/paging.ts';
import type { Store, Writing } from '../store/store.ts';
import type { IntegrationRow } from '../store/tables.ts';
import type { Reading } from './provider-store.ts';

/** The integration of an organisation with a slug. */
export const findIntegration = (
  db: Reading,
  organisation: OrganisationId,
  slug: string,
): Promise<IntegrationRow | undefined> =>
  db
    .selectFrom('integrations')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where('slug', '=', slug)
    .executeTakeFirst();

/** The integration of an organisation with an id or else with a slug. */
export const findNamedIntegration = async (
  db: Reading,
  organisation: OrganisationId,
  name: string,
): Promise<IntegrationRow | undefined> => {
  const rows = await db
    .selectFrom('integrations')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where((where) => where.or({ id: name, slug: name }))
    .execute();
  return rows.find(({ id }) => id === name) ?? rows[0];
};

/** A page of them, the newest first, and how many there are in all. */
export const listIntegrations = async (
  { db }: Store,
  organisation: OrganisationId,
  page: Page,
): Promise<{ readonly total: number; readonly rows: readonly IntegrationRow[] }> => {
  const all = db.selectFrom('integrations').where('organisation_id', '=', organisation);
  const { limit, offset } = pageOf(page);
  const [{ total }, rows] = await Promise.all([
    all.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow(),
    all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  ]);
  return { total: Number(total), rows };
};

export const insertIntegration = async (store: Store, writing: Writing, row: IntegrationRow): Promise<void> => {
  await writing.insertInto('integrations').values(row).execute();
  await store.bump(writing, 'plans', row.organisation_id);
};

/** Replaces a record by another with the same id; its providers call what it calls. */
export const replaceIntegration = async (store: Store, writing: Writing, row: IntegrationRow): Promise<void> => {
  const { id, organisation_id, ...columns } = row;
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
export const countProvidersOf = async (db: Reading, { id }: IntegrationRow): Promise<number> => {
  const { total } = await db
    .selectFrom('providers')
    .select((select) => select.fn.countAll().as('total'))
    .where('integration_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(total);
};

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
