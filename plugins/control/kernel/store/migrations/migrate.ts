import { sql, type Transaction } from 'kysely';
import { type Store, StoreError } from '../store.ts';
import type { Tables } from '../tables/tables.ts';
import type { Migration } from './migration.ts';

export interface MigrateOptions<Database = Tables> {
  readonly kind: Store['kind'];
  /** For people. */
  readonly where: string;
  /** In the order of their numbers. */
  readonly migrations: readonly Migration<Database>[];
  /** Where it is noted which of them a database has been through; `migrations` if absent. */
  readonly table?: string;
  /** Runs it in a transaction, alone among all processes. */
  alone(run: (writing: Transaction<Database>) => Promise<void>): Promise<void>;
}

/** The number of the last migration that the store has been through; 0 for an empty one. */
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
 * Brings the tables of a store up to date, all of it or nothing.
 *
 * @throws StoreError if a newer program has written the store, or if its tables cannot be made
 */
export const migrate = async <Database = Tables>({
  kind,
  where,
  migrations,
  table = 'migrations',
  alone,
}: MigrateOptions<Database>): Promise<void> => {
  const known = migrations.at(-1)?.number ?? 0;
  const bringUpToDate = async (db: Transaction<Database>): Promise<void> => {
    const at = await reached(db, table);
    if (at > known)
      throw new StoreError(
        `The store ${where} was written by a newer version of this program (migration ${at}; this one knows ${known}). Start that version, or restore a backup that was made before.`,
      );
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
      `The tables of the store ${where} cannot be made: ${error.message}. Give the store a database of its own, in which it may make tables.`,
      { cause: error },
    );
  }
};
