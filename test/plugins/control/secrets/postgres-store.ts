import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Writing } from '../../../../plugins/control/store/store.ts';
import type { Tables } from '../../../../plugins/control/store/tables.ts';
import type { ClosableStore } from './sqlite-store.ts';

/** Another transaction was in the way: serialisation failure, deadlock. */
const mayRepeat = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

/** Makes the two tables that secrets need, in a schema of their own. */
export const makePostgresTables = async (url: string, schema: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create schema ${schema};
    create table ${schema}.data_keys
      (id text primary key, tenant text not null, wrapped text not null, created_at bigint not null, retired_at bigint);
    create table ${schema}.canary (id text primary key, wrapped text not null);
  `);
  await client.end();
};

/** A schema with these tables as a store. Two of one schema are like two processes. */
export const postgresStore = (url: string, schema: string): ClosableStore => {
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 4 });
  // The server may be stopped before the last connections are closed.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
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
