import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import type { SecretStore } from '../../../../plugins/control/secrets/secret-store.ts';
import type { Writing } from '../../../../plugins/control/store/store.ts';
import type { Tables } from '../../../../plugins/control/store/tables.ts';

const tables = `
  create table if not exists data_keys
    (id text primary key, tenant text not null, wrapped text not null, created_at integer not null, retired_at integer);
  create table if not exists canary (id text primary key, wrapped text not null);
`;

type Values = readonly SQLInputValue[];

/** A connection as Kysely wants it. Its transactions begin as writers, so that none reads what another is about to change. */
const toConnection = (database: DatabaseSync): SqliteDatabase => ({
  close: () => database.close(),
  prepare(sql) {
    const statement = database.prepare(sql === 'begin' ? 'begin immediate' : sql);
    return {
      reader: /^\s*(select|with|pragma)/i.test(sql),
      all: (parameters) => statement.all(...(parameters as Values)),
      run: (parameters) => statement.run(...(parameters as Values)),
      iterate: (parameters) => statement.iterate(...(parameters as Values)),
    };
  },
});

const isBusy = (error: unknown): boolean => error instanceof Error && error.message.includes('database is locked');

export interface ClosableStore extends SecretStore {
  close(): Promise<void>;
}

/** The two tables that secrets need, in an SQLite file. Two of one file are like two processes. */
export const sqliteStore = (file: string): ClosableStore => {
  const database = new DatabaseSync(file, { timeout: 0 });
  database.exec('pragma journal_mode = wal');
  database.exec(tables);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: toConnection(database) }) });
  const write = async <Result>(run: (writing: Writing) => Promise<Result>): Promise<Result> => {
    for (;;) {
      try {
        return await db.transaction().execute(run);
      } catch (error) {
        if (!isBusy(error)) throw error;
        await sleep(1);
      }
    }
  };
  return { db, write, close: () => db.destroy() };
};
