import type { TenantId } from '../../sdk/exchange.ts';
import { type Page, pageOf } from '../saved/paging.ts';
import type { Store, Writing } from '../store/store.ts';
import type { ProviderRow } from '../store/tables.ts';

export type Reading = Pick<Writing, 'selectFrom'>;
export type ProviderKind = ProviderRow['kind'];

/** The records of one kind in a workspace. */
export interface ProviderSight {
  readonly tenant: TenantId;
  readonly kind: ProviderKind;
}

export const findProvider = (
  db: Reading,
  { tenant, kind }: ProviderSight,
  slug: string,
): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('providers')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .executeTakeFirst();

/** A page of them, the newest first, and how many there are in all. */
export const listProviders = async (
  { db }: Store,
  { tenant, kind }: ProviderSight,
  page: Page,
): Promise<{ readonly total: number; readonly rows: readonly ProviderRow[] }> => {
  const all = db.selectFrom('providers').where('workspace_id', '=', tenant).where('kind', '=', kind);
  const { limit, offset } = pageOf(page);
  const [{ total }, rows] = await Promise.all([
    all.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow(),
    all.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  ]);
  return { total: Number(total), rows };
};

export const insertProvider = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  await writing.insertInto('providers').values(row).execute();
  await store.bump(writing, 'plans', row.workspace_id);
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
  await store.bump(writing, 'plans', row.workspace_id);
};

export const deleteProvider = async (store: Store, writing: Writing, row: ProviderRow): Promise<void> => {
  await writing.deleteFrom('providers').where('id', '=', row.id).where('workspace_id', '=', row.workspace_id).execute();
  await store.bump(writing, 'plans', row.workspace_id);
};
