import type { TenantId } from '../../sdk/exchange.ts';
import { type PageQuery, toPage } from '../saved/paging.ts';
import { countOf, type PageResult, paginate, type Reading } from '../saved/records.ts';
import type { Store, Writing } from '../store/store.ts';
import type { ProviderRow } from '../store/tables.ts';

export type ProviderKind = ProviderRow['kind'];

/** The records of one kind in a workspace. */
export interface ProviderSight {
  readonly tenant: TenantId;
  readonly kind: ProviderKind;
}

const inSight = (db: Reading, { tenant, kind }: ProviderSight) =>
  db.selectFrom('providers').where('workspace_id', '=', tenant).where('kind', '=', kind);

export const findProvider = (db: Reading, sight: ProviderSight, slug: string): Promise<ProviderRow | undefined> =>
  inSight(db, sight).selectAll().where('slug', '=', slug).executeTakeFirst();

/** A page of them, the newest first. */
export const listProviders = ({ db }: Store, sight: ProviderSight, page: PageQuery): Promise<PageResult<ProviderRow>> =>
  paginate(inSight(db, sight).selectAll().orderBy('id', 'desc'), toPage(page));

/** Tells those who follow the plans or the limits of a workspace: a provider has its own, and shares those of its integration. */
const bumpBoth = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  await store.bump(writing, 'plans', row.workspace_id);
  await store.bump(writing, 'policies', row.workspace_id);
};

/** How many records of one kind a workspace has. */
export const countProviders = (db: Reading, sight: ProviderSight): Promise<number> => countOf(inSight(db, sight));

export const insertProvider = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  await writing.insertInto('providers').values(row).execute();
  await bumpBoth(store, writing, row);
};

/** Replaces a record by another with the same id. */
export const replaceProvider = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  const { id, workspace_id, ...columns } = row;
  await writing
    .updateTable('providers')
    .set(columns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .execute();
  await bumpBoth(store, writing, row);
};

export const deleteProvider = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  await writing.deleteFrom('providers').where('id', '=', row.id).where('workspace_id', '=', row.workspace_id).execute();
  await bumpBoth(store, writing, row);
};
