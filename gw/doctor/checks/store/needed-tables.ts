import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, migrate } from '../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { migrations } from '../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { type Connection, DatabaseSync } from '../../../../plugins/control/kernel/store/sqlite/process-lock.ts';
import { earlierTables } from '../../../../plugins/control/logs/writer/convert-earlier.ts';
import { logMigrations } from '../../../../plugins/control/logs/writer/log-migrations.ts';

const toDialect = (database: Connection): SqliteDialect =>
  new SqliteDialect({
    database: {
      prepare(text) {
        const statement = database.prepare(text);
        return {
          reader: statement.columns().length > 0,
          all: (values) => statement.all(...(values as never[])),
          run: (values) => statement.run(...(values as never[])),
          iterate: (values) => statement.iterate(...(values as never[])),
        };
      },
      close: () => database.close(),
    },
  });

/** Returns the names of the tables that migrations have created at their end, from a database in memory. */
const tablesAfter = async <Database>(ran: readonly Migration<Database>[]): Promise<readonly string[]> => {
  const database = new DatabaseSync(':memory:');
  const db = new Kysely<Database>({ dialect: toDialect(database) });
  try {
    await migrate<Database>({
      kind: 'sqlite',
      where: ':memory:',
      migrations: ran,
      alone: (run) => db.transaction().execute(run),
    });
    const tables = await db.introspection.getTables();
    return tables.filter(({ isView, name }) => !isView && name !== 'migrations').map(({ name }) => name);
  } finally {
    await db.destroy();
  }
};

/** Returns the names of the tables that each store of this version has. */
export const storeTables = (): Promise<readonly string[]> => tablesAfter(migrations);

/** Returns the names of the tables that each request log of this version has. */
export const logTables = async (): Promise<readonly string[]> =>
  (await tablesAfter(logMigrations)).filter((name) => !earlierTables.includes(name));
