import type { SelectQueryBuilder } from 'kysely';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import {
  countRows,
  lacksNulCharacters,
  type PageResult,
  paginateDescending,
  paginateNewest,
  pickByIdOrSlug,
  type Reading,
  type ResourcePage,
  refuseIfFull,
} from '../records/records.ts';
import { containsText, type SearchedPage } from '../records/search.ts';
import { problem } from '../requests/problem.ts';
import { conflict, nameTakenHint, notFound } from '../requests/refusals.ts';
import { mapConflict } from '../store/rows/is-conflict.ts';
import type { Store, Writing } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';
import { versionedNames } from './versioned-names.ts';

/** The tables of records that belong to a workspace, have a slug, and keep their content in versions. */
type Records = 'configs' | 'prompts' | 'partials';

/** The number of a version, the newest version, the published one, or the one whose number a query finds. */
type VersionNumber =
  | number
  | 'latest'
  | 'published'
  | SelectQueryBuilder<Tables, 'labels' | 'prompt_labels', { version: number }>;

interface VersionedDescription<
  Table extends Records,
  Versions extends keyof Tables,
  Head extends keyof Tables[Versions],
> {
  readonly noun: string;
  /** The path below `/v1`. */
  readonly path: `/${string}`;
  readonly table: Table;
  readonly versions: Versions;
  /** The column of versions that contains the id of their record. */
  readonly parent: keyof Tables[Versions] & string;
  /** The columns of records that change. */
  readonly changes: readonly (keyof Tables[Table] & string)[];
  /** The columns of versions that lists show. */
  readonly heads: readonly Head[];
  /** The columns of a version that is read alone; those of lists if absent. */
  readonly found?: readonly (keyof Tables[Versions])[];
  /** Further tables whose rows are deleted with a record. */
  readonly cascade?: readonly (keyof Tables)[];
}

/** Queries of records with versions. All writes notify other processes that plans may have changed. */
export interface VersionedStore<Row, Version, Head, Found> {
  unknown(name: string): Error;
  /** Returns the error for a reference to a version that its record does not have. */
  unknownVersion(row: Row, reference: string): Error;
  /** Returns the record of a workspace that has this id, or otherwise this slug. */
  find(db: Reading, tenant: string, name: string): Promise<Row | undefined>;
  /** The same. Rejects with the `GatewayError` `not-found`. */
  get(db: Reading, tenant: string, name: string): Promise<Row>;
  count(db: Reading, filter: Partial<Row>): Promise<number>;
  /** Lists the records that a search finds, the newest first. */
  list(store: Pick<Store, 'db' | 'kind'>, filter: Partial<Row>, page: SearchedPage): Promise<PageResult<Row>>;
  findVersion(db: Reading, row: Row, number: VersionNumber): Promise<Found | undefined>;
  /** The same. Rejects with the `GatewayError` `not-found`. */
  getVersion(db: Reading, row: Row, number: number | 'latest' | 'published'): Promise<Found>;
  /** Returns the version that the member `version` of a body names. Rejects with the `GatewayError` `invalid-input`. */
  findNamedVersion(db: Reading, row: Row, number: number): Promise<Found>;
  /** Lists the newest first. */
  listVersions(db: Reading, row: Row, page: ResourcePage): Promise<PageResult<Head>>;
  /**
   * Returns the number after the newest version. Throws the `GatewayError` `conflict` if the record cannot have more versions.
   */
  nextNumber(row: Row, newest: number): number;
  /**
   * Adds a record with its first version, unless `check` returns false in the same transaction; returns whether it was added.
   * Rejects with the `GatewayError` `conflict` if the workspace has a record with this slug, or has the maximum number of
   * records.
   */
  create(
    store: Store,
    written: { readonly row: Row; readonly version: Version },
    check: (writing: Writing) => Promise<boolean>,
  ): Promise<boolean>;
  /**
   * Adds a record with its first version. Rejects with an error that `isConflict` recognises if the workspace has a record with
   * this slug.
   */
  insert(store: Store, writing: Writing, written: { readonly row: Row; readonly version: Version }): Promise<void>;
  /**
   * Changes a record, and adds a version if there is a new one. The record is written first: if two changes run at once,
   * PostgreSQL then retries the later one, which would otherwise fail because its version number is taken.
   */
  change(
    store: Store,
    writing: Writing,
    written: { readonly row: Row; readonly version?: Version | undefined },
  ): Promise<void>;
  /** Deletes a record with its versions. */
  remove(store: Store, writing: Writing, row: Row): Promise<void>;
}

/** The maximum number of versions of a record. */
const maxVersions = 1_000;

type Row = Tables['partials'];
type Version = Tables['partial_versions'];

/**
 * Creates the queries of records whose content is in versions. They are typed as those of partials, which have only what all of
 * them have.
 */
export const createVersionedStore = <
  const Table extends Records,
  const Versions extends keyof Tables,
  const Head extends keyof Tables[Versions],
  const Found extends keyof Tables[Versions] = Head,
>(
  described: VersionedDescription<Table, Versions, Head> & { readonly found?: readonly Found[] },
): VersionedStore<Tables[Table], Tables[Versions], Pick<Tables[Versions], Head>, Pick<Tables[Versions], Found>> => {
  const { noun, path, changes, cascade = [] } = described;
  const [table, versions, parent] = [described.table, described.versions, described.parent] as [
    'partials',
    'partial_versions',
    'partial_id',
  ];
  const heads = described.heads as readonly unknown[] as readonly (keyof Version)[];

  const unknown = (name: string): Error => notFound(noun, name, `GET /v1${path}`);

  const versionList = ({ slug }: Row): string => `GET /v1${path}/${slug}/versions`;

  const records = (db: Reading, filter: Partial<Row>) =>
    db
      .selectFrom(table)
      .selectAll()
      .where((where) => where.and(filter));

  const toVersions = (db: Reading, { id, workspace_id }: Row) =>
    db.selectFrom(versions).where('workspace_id', '=', workspace_id).where(parent, '=', id);

  const queries: VersionedStore<Row, Version, Pick<Version, keyof Version>, Pick<Version, keyof Version>> = {
    unknown,

    unknownVersion: (row, reference) => notFound(noun, reference, versionList(row)),

    async find(db, tenant, name) {
      if (!lacksNulCharacters(name)) return undefined;
      const named = records(db, { workspace_id: tenant }).where((where) => where.or({ id: name, slug: name }));
      return pickByIdOrSlug(await named.execute(), name);
    },

    async get(db, tenant, name) {
      const row = await queries.find(db, tenant, name);
      if (row === undefined) throw unknown(name);
      return row;
    },

    count: (db, filter) => countRows(records(db, filter)),

    list: ({ db, kind }, filter, { search, ...page }) =>
      paginateNewest(records(db, filter).where(containsText(kind, versionedNames, search)), page),

    findVersion(db, row, number) {
      const found = toVersions(db, row).select(
        (described.found ?? described.heads) as readonly unknown[] as typeof heads,
      );
      if (number === 'latest') return found.orderBy('number', 'desc').limit(1).executeTakeFirst();
      return found.where('number', '=', number === 'published' ? row.published : number).executeTakeFirst();
    },

    async getVersion(db, row, number) {
      const version = await queries.findVersion(db, row, number);
      if (version === undefined) throw queries.unknownVersion(row, `${row.slug}@${number}`);
      return version;
    },

    async findNamedVersion(db, row, number) {
      const version = await queries.findVersion(db, row, number);
      if (version !== undefined) return version;
      const hint = `${versionList(row)} lists its versions.`;
      throw invalidInput([problem(['version'], `The ${noun} "${row.slug}" has no version ${number}.`, hint)]);
    },

    nextNumber({ slug }, newest) {
      if (newest < maxVersions) return newest + 1;
      throw conflict(`The ${noun} "${slug}" has ${maxVersions} versions.`, `Create another ${noun}.`);
    },

    create(store, written, check) {
      const { slug, workspace_id } = written.row;
      const taken = () =>
        conflict(`This workspace already has a ${noun} "${slug}".`, nameTakenHint('slug', { noun, path, name: slug }));
      return mapConflict(taken, () =>
        store.write(async (writing) => {
          refuseIfFull(table, await queries.count(writing, { workspace_id }));
          const isRight = await check(writing);
          if (isRight) await queries.insert(store, writing, written);
          return isRight;
        }),
      );
    },

    async listVersions(db, row, { after, ...page }) {
      const versions = toVersions(db, row);
      // Nothing comes after a version that does not exist.
      const readNumber = async (id: string): Promise<number> =>
        (await versions.select('number').where('id', '=', id).executeTakeFirst())?.number ?? 0;
      const below = after === undefined ? undefined : await readNumber(after);
      return paginateDescending(versions.select(heads), { column: 'number', below, ...page });
    },

    async insert(store, writing, { row, version }) {
      await writing.insertInto(table).values(row).execute();
      await writing.insertInto(versions).values(version).execute();
      await store.bump(writing, 'plans', row.workspace_id);
    },

    async change(store, writing, { row, version }) {
      await writing
        .updateTable(table)
        .set(Object.fromEntries([...changes, 'updated_at'].map((name) => [name, row[name as keyof Row]])))
        .where('workspace_id', '=', row.workspace_id)
        .where('id', '=', row.id)
        .execute();
      if (version !== undefined) await writing.insertInto(versions).values(version).execute();
      await store.bump(writing, 'plans', row.workspace_id);
    },

    async remove(store, writing, { id, workspace_id }) {
      for (const each of [...cascade, versions] as (typeof versions)[])
        await writing.deleteFrom(each).where('workspace_id', '=', workspace_id).where(parent, '=', id).execute();
      await writing.deleteFrom(table).where('workspace_id', '=', workspace_id).where('id', '=', id).execute();
      await store.bump(writing, 'plans', workspace_id);
    },
  };
  return queries as unknown as ReturnType<typeof createVersionedStore<Table, Versions, Head, Found>>;
};
