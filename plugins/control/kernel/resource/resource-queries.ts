import type { Kysely, Transaction } from 'kysely';
import {
  countRows,
  lacksNulCharacters,
  type PageResult,
  paginateNewest,
  pickByIdOrSlug,
  type Reading,
} from '../records/records.ts';
import { containsText, type SearchedPage } from '../records/search.ts';
import type { Store, Writing } from '../store/store.ts';
import type { RecordRow, Resource, Verb } from './define-resource.ts';
import { type AnyColumns, type Owned, ownershipRules, toOwner, type Visibility } from './ownership.ts';

/** A row of a resource, as columns by name. */
export interface ResourceRow extends RecordRow, Owned {
  [column: string]: string | number | null | undefined;
}

type Rows = { [table: string]: AnyColumns };

/** The same connection, typed with only the columns that all resources have. */
const reading = (db: Reading): Pick<Kysely<Rows>, 'selectFrom'> => db as unknown as Kysely<Rows>;

const isVisible = (db: Reading, { table, owner, discriminator = {}, visible }: Resource, caller: Visibility) =>
  reading(db)
    .selectFrom(table)
    .where((where) =>
      where.and([
        ownershipRules[owner].isVisible(where, caller),
        where.and(discriminator),
        ...(visible === undefined || caller.reach === 'organisation' ? [] : [visible(where, caller.tenant)]),
      ]),
    );

/**
 * Returns the visible record that has this id, or otherwise this name. A record of the workspace takes precedence over one of its
 * organisation.
 */
export const findRecord = async (
  db: Reading,
  resource: Resource,
  { caller, name }: { readonly caller: Visibility; readonly name: string },
): Promise<ResourceRow | undefined> => {
  if (!lacksNulCharacters(name)) return undefined;
  const { naming } = resource;
  const rows = await isVisible(db, resource, caller)
    .selectAll()
    .where((where) => where.or({ id: name, ...(naming === undefined ? {} : { [naming]: name }) }))
    .$castTo<ResourceRow>()
    .execute();
  const { shared = [], own = [] } = Object.groupBy(rows, (row) => (row.workspace_id === null ? 'shared' : 'own'));
  return pickByIdOrSlug([...own, ...shared], name);
};

/** Whether another record has this record's name, as its name or as its id. */
export const isNameTaken = async (
  db: Reading,
  { table, owner, naming }: Resource,
  row: ResourceRow,
): Promise<boolean> => {
  const name = naming === undefined ? undefined : row[naming];
  if (naming === undefined || typeof name !== 'string') return false;
  const other = await reading(db)
    .selectFrom(table)
    .select('id')
    .where((where) => ownershipRules[owner].sharesNames(where, row))
    .where((where) => where.or({ id: name, [naming]: name }))
    .where('id', '!=', row.id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
};

/** Counts the records of this record's owner. */
export const countOwned = (
  db: Reading,
  { table, owner, discriminator = {} }: Pick<Resource, 'table' | 'owner' | 'discriminator'>,
  row: Owned,
): Promise<number> =>
  countRows(
    reading(db)
      .selectFrom(table)
      .where((where) => where.and(discriminator))
      .where((where) => ownershipRules[owner].ofOwner(where, row)),
  );

/** Returns a page of the visible records that a search finds, the newest first. */
export const listRecords = (
  { db, kind }: Pick<Store, 'db' | 'kind'>,
  resource: Resource,
  { caller, page: { search, ...page } }: { readonly caller: Visibility; readonly page: SearchedPage },
): Promise<PageResult<ResourceRow>> =>
  paginateNewest(
    isVisible(db, resource, caller)
      .where(containsText(kind, resource.searched, search))
      .selectAll()
      .$castTo<ResourceRow>(),
    page,
  );

/**
 * Writes one record in a transaction, and notifies other processes. Only the columns that can change are replaced. When a record
 * is removed, the rows of other tables that belong to it are removed too.
 */
export const recordWriter = (
  store: Store,
  writing: Writing,
  resource: Resource,
): Readonly<Record<'insert' | 'replace' | 'remove', (row: ResourceRow) => Promise<void>>> => {
  const db = writing as unknown as Transaction<Rows>;
  const { table, owner, members, hidden = [], cascade = [], feeds = {} } = resource;
  const bump = async (verb: Verb, row: ResourceRow): Promise<void> => {
    for (const feed of [feeds[verb] ?? []].flat()) await store.bump(writing, feed, toOwner(row));
  };
  return {
    async insert(row) {
      await db.insertInto(table).values(row).execute();
      await bump('create', row);
    },
    async replace(row) {
      const changeable = Object.keys(members).filter((name) => members[name]?.presence !== 'fixed');
      await db
        .updateTable(table)
        .set(Object.fromEntries([...changeable, ...hidden, 'updated_at'].map((name) => [name, row[name]])))
        .where((where) => ownershipRules[owner].ofOwner(where, row))
        .where('id', '=', row.id)
        .execute();
      await bump('update', row);
    },
    async remove(row) {
      for (const { table: other, column } of cascade)
        await db
          .deleteFrom(other)
          .where((where) => ownershipRules[owner].ofOwner(where, row))
          .where(column, '=', row.id)
          .execute();
      await db
        .deleteFrom(table)
        .where((where) => ownershipRules[owner].ofOwner(where, row))
        .where('id', '=', row.id)
        .execute();
      await bump('delete', row);
    },
  };
};
