import { type ColumnDataType, type Expression, type Kysely, sql, type Transaction } from 'kysely';
import { type OlderStore, type Store, StoreError } from '../store.ts';
import type { Tables } from '../tables.ts';

/** A `?` at the end means that the column may be null. */
export type ColumnType = 'text' | 'integer' | 'text?' | 'integer?';

export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns of its primary key; `id` if absent. */
  readonly key?: readonly string[];
  /** The columns whose values are unique. */
  readonly unique?: readonly (readonly string[])[];
  /**
   * By column: the table whose `id` it contains, and whether its row is deleted with the one that it refers to. Otherwise that
   * row cannot be deleted.
   */
  readonly references?: Readonly<Record<string, { readonly table: string; readonly goesWith?: boolean }>>;
  readonly indexes?: readonly (readonly string[])[];
  /** Whether SQLite stores the rows in the order of their key, without a separate index. */
  readonly isClustered?: boolean;
}

export type TableShapes = Readonly<Record<string, TableShape>>;

/** Texts are compared byte by byte, as in SQLite, so that both databases sort in the same order. Integers have 64 bits. */
const dataType = (type: ColumnType, kind: Store['kind']): ColumnDataType | Expression<unknown> => {
  if (type.startsWith('integer')) return 'bigint';
  return kind === 'postgres' ? sql`text collate "C"` : 'text';
};

const createTable = async <Database>(
  db: Kysely<Database>,
  kind: Store['kind'],
  name: string,
  shape: TableShape,
): Promise<void> => {
  const { columns, key = ['id'], unique = [], references = {}, indexes = [], isClustered = false } = shape;
  let table = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns))
    table = table.addColumn(column, dataType(type, kind), (built) => (type.endsWith('?') ? built : built.notNull()));
  table = table.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]);
  for (const [at, names] of unique.entries())
    table = table.addUniqueConstraint(`${name}_unique_${at + 1}`, [...names] as never[]);
  for (const [column, parent] of Object.entries(references))
    table = table.addForeignKeyConstraint(`${name}_${column}`, [column] as never[], parent.table, ['id'], (built) => {
      const deferred = built.deferrable().initiallyDeferred();
      return parent.goesWith === true ? deferred.onDelete('cascade') : deferred;
    });
  if (isClustered && kind === 'sqlite') table = table.modifyEnd(sql`without rowid`);
  await table.execute();
  for (const names of indexes)
    await db.schema
      .createIndex(`${name}_by_${names.join('_')}`)
      .on(name)
      .columns([...names])
      .execute();
};

/** Creates tables, in this order. References are checked when a transaction ends. */
export const createTables = async <Database>(
  db: Kysely<Database>,
  kind: Store['kind'],
  shapes: TableShapes,
): Promise<void> => {
  for (const [name, shape] of Object.entries(shapes)) await createTable(db, kind, name, shape);
};

/** A step from one version of the tables to the next; there is no way back. After its release, it is not changed. */
export interface Migration<Database = Tables> {
  readonly number: number;
  readonly name: string;
  /** Reads and writes rows with `sql`, because the tables are older than their types. */
  up(db: Kysely<Database>, kind: Store['kind']): Promise<void>;
}

export interface MigrateOptions<Database = Tables> {
  readonly kind: Store['kind'];
  /** The owner of the tables, shown to people; `store` if absent. */
  readonly what?: 'store' | 'log';
  /** The location shown to people. */
  readonly where: string;
  /** In the order of their numbers. */
  readonly migrations: readonly Migration<Database>[];
  /** The table that notes which migrations a database has been through; `migrations` if absent. */
  readonly table?: string;
  /** `upgrade` if absent. */
  readonly older?: OlderStore | undefined;
  /** Notified of what takes long, as sentences for the operator. */
  readonly say?: ((text: string) => void) | undefined;
  /** Checks whether a database is suitable, which may be empty, in the transaction that creates its tables. */
  readonly check?: ((writing: Transaction<Database>, isEmpty: boolean) => Promise<void>) | undefined;
  /** Runs a transaction, alone among all processes. */
  alone(run: (writing: Transaction<Database>) => Promise<void>): Promise<void>;
}

interface Migrated {
  /** The number of the last migration of the store. */
  readonly at: number;
  /** The number of the last migration that this program has. */
  readonly known: number;
}

/** Explains why a store or a log with more migrations than this program has cannot be opened; returns undefined if it can. */
export const newerStore = (
  { what = 'store', where }: Pick<MigrateOptions, 'what' | 'where'>,
  { at, known }: Migrated,
): StoreError | undefined =>
  at > known
    ? new StoreError(
        `The ${what} ${where} was written by a newer version of this program (migration ${at}; this one knows ${known}). Start that version, or restore an earlier backup.`,
      )
    : undefined;

const earlierStore = (where: string, { at, known }: Migrated): StoreError =>
  new StoreError(
    `The store ${where} was written by an earlier version of this program (migration ${at}; this one knows ${known}), which could not start again after a change by this one. Use that version for this command, or first start the gateway with this one.`,
  );

/** Returns the number of the last migration of the store; 0 for an empty one. */
const reached = async <Database>(db: Transaction<Database>, table: string): Promise<number> => {
  await sql`create table if not exists ${sql.table(table)} (number bigint not null primary key, name text not null, at bigint not null)`.execute(
    db,
  );
  const { rows } = await sql<{
    number: number;
  }>`select coalesce(max(number), 0) as number from ${sql.table(table)}`.execute(db);
  return rows[0]?.number ?? 0;
};

/**
 * Brings the tables of a store up to date, either completely or not at all.
 *
 * @throws StoreError if a newer program has written the store, if its tables cannot be created, or if it is older or empty and must not be
 *   changed
 */
export const migrate = async <Database = Tables>({
  kind,
  what = 'store',
  where,
  migrations,
  table = 'migrations',
  older = 'upgrade',
  say,
  check,
  alone,
}: MigrateOptions<Database>): Promise<void> => {
  const known = migrations.at(-1)?.number ?? 0;
  const bringUpToDate = async (db: Transaction<Database>): Promise<void> => {
    const at = await reached(db, table);
    const newer = newerStore({ what, where }, { at, known });
    if (newer !== undefined) throw newer;
    if (older === 'keep' && at === 0)
      throw new StoreError(`The database ${where} has no ${what}: no gateway has served it yet. Name another one.`);
    if (older === 'keep') return;
    if (older === 'refuse' && at > 0 && at < known) throw earlierStore(where, { at, known });
    if (at > 0 && at < known)
      say?.(`gw: The tables of the ${what} ${where} are brought up to date, from migration ${at} to ${known}.\n`);
    await check?.(db, at === 0);
    for (const { number, name, up } of migrations) {
      if (number <= at) continue;
      await up(db, kind);
      await sql`insert into ${sql.table(table)} (number, name, at) values (${number}, ${name}, ${Date.now()})`.execute(
        db,
      );
    }
  };
  try {
    await alone(bringUpToDate);
  } catch (error) {
    if (error instanceof StoreError || !(error instanceof Error)) throw error;
    throw new StoreError(
      `The tables of the ${what} ${where} cannot be created: ${error.message}. Give the store a database of its own, in which it may create tables.`,
      { cause: error },
    );
  }
};
