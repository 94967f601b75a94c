import type { Kysely, Transaction } from 'kysely';
import { countOf, isStorable, type Listed, meant, type Reading } from '../../saved/records.ts';
import type { Store, Writing } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import type { RecordRow, Resource, Verb } from './define-resource.ts';
import type { ResourcePage } from './resource-page.ts';

/** A row of a resource, its members by their names. */
export interface ResourceRow extends RecordRow {
  [member: string]: string | number | null;
}

type Rows = { [table: string]: ResourceRow };

/** The same connection, which knows of each table only what all resources have. */
const reading = (db: Reading): Pick<Kysely<Rows>, 'selectFrom'> => db as unknown as Kysely<Rows>;
const changing = (db: Writing): Transaction<Rows> => db as unknown as Transaction<Rows>;

const inWorkspace = (db: Reading, { table }: Resource, tenant: string) =>
  reading(db).selectFrom(table).where('workspace_id', '=', tenant);

/** The record of a workspace that has this id, or else this name. */
export const findRecord = async (
  db: Reading,
  resource: Resource,
  { tenant, name }: { readonly tenant: string; readonly name: string },
): Promise<ResourceRow | undefined> => {
  if (!isStorable(name)) return undefined;
  const { naming } = resource;
  const rows = await inWorkspace(db, resource, tenant)
    .selectAll()
    .$castTo<ResourceRow>()
    .where((where) => where.or({ id: name, ...(naming === undefined ? {} : { [naming]: name }) }))
    .execute();
  return meant(rows, name);
};

export const countRecords = (db: Reading, { table }: Resource, tenant: string): Promise<number> =>
  countOf(db.selectFrom(table as 'labels').where('workspace_id', '=', tenant));

/** A page of the records of a workspace, the newest first: ids are in the order of time. */
export const listRecords = async (
  db: Reading,
  resource: Resource,
  { tenant, page: { limit, offset, after } }: { readonly tenant: string; readonly page: ResourcePage },
): Promise<Listed<ResourceRow>> => ({
  total: await countRecords(db, resource, tenant),
  rows: await inWorkspace(db, resource, tenant)
    .selectAll()
    .$castTo<ResourceRow>()
    .where((where) => (after === undefined ? where.and({}) : where('id', '<', after)))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute(),
});

/** The feeds that tell others of what a workspace has saved. */
const bump = async (store: Store, writing: Writing, { resource, tenant, verb }: Bump): Promise<void> => {
  const feed = resource.feeds?.[verb];
  if (feed !== undefined) await store.bump(writing, feed, tenant);
};

interface Bump {
  readonly resource: Resource;
  readonly tenant: string;
  readonly verb: Verb;
}

/** What writes one record in a transaction. */
export interface RecordWriter {
  insert(row: ResourceRow): Promise<void>;
  /** Replaces the members that can change. */
  replace(row: ResourceRow): Promise<void>;
  /** Deletes a record, and the rows that go with it. */
  remove(row: ResourceRow): Promise<void>;
}

export const recordWriter = (store: Store, writing: Writing, resource: Resource): RecordWriter => {
  const db = changing(writing);
  const { table, members, cascade = [] } = resource;
  const told = (verb: Verb, { workspace_id }: ResourceRow): Promise<void> =>
    bump(store, writing, { resource, tenant: workspace_id, verb });
  return {
    async insert(row) {
      await db.insertInto(table).values(row).execute();
      await told('create', row);
    },
    async replace(row) {
      const { id, workspace_id, updated_at } = row;
      const changeable = Object.keys(members).filter((name) => members[name]?.presence !== 'fixed');
      const values = Object.fromEntries(changeable.map((name) => [name, row[name]]));
      await db
        .updateTable(table)
        .set({ ...values, updated_at })
        .where('workspace_id', '=', workspace_id)
        .where('id', '=', id)
        .execute();
      await told('update', row);
    },
    async remove(row) {
      const { id, workspace_id } = row;
      for (const { table: other, column } of cascade)
        await db.deleteFrom(other).where('workspace_id', '=', workspace_id).where(column, '=', id).execute();
      await db.deleteFrom(table).where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
      await told('delete', row);
    },
  };
};
