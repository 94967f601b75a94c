import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Writing } from '../../../../plugins/control/store/store.ts';
import type { Tables } from '../../../../plugins/control/store/tables.ts';
import type { ClosableStore } from './sqlite-store.ts';

/** Another transaction was in the way: serialisation failure, deadlock. */
const mayRepeat = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

/** The two tables that secrets need, in a schema of PostgreSQL. Two of one schema are like two processes. */
export const postgresStore = async (url: string, schema: string): Promise<ClosableStore> => {
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 4 });
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  await sql`create table if not exists data_keys
    (id text primary key, tenant text not null, wrapped text not null, created_at bigint not null, retired_at bigint)`.execute(
    db,
  );
  await sql`create table if not exists canary (id text primary key, wrapped text not null)`.execute(db);
  const write = async <Result>(run: (writing: Writing) => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await db.transaction().setIsolationLevel('serializable').execute(run);
      } catch (error) {
        if (!mayRepeat(error)) throw error;
      }
    }
  };
  return { db, write, close: () => db.destroy() };
};
