import { type Kysely, sql } from 'kysely';
import { migrate } from '../../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { logMigrations } from '../../../../../plugins/control/logs/writer/log-migrations.ts';
import type { LogTables } from '../../../../../plugins/control/logs/writer/log-store.ts';
import { toLogFile } from '../../../../../plugins/control/logs/writer/open-log-store.ts';
import type { NewRecord } from '../../../../../plugins/control/logs/writer/to-record.ts';
import { openTables } from '../../../../support/gateways/older-store.ts';

/** The number of rows that fit into a statement. */
const atOnce = 100;

const insert = async (db: Kysely<LogTables>, table: string, rows: readonly object[]): Promise<void> => {
  const names = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name));
  for (let at = 0; at < rows.length; at += atOnce) {
    const values = rows.slice(at, at + atOnce).map((row) => sql`(${sql.join(Object.values(row))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(names)}) values ${sql.join(values)}`.execute(db);
  }
};

/** Writes records as a version with only the first migration of the log did. Nothing else may have the log open. */
export const writeEarlierLog = async (url: string, records: readonly NewRecord[]): Promise<void> => {
  const { kind, db, close } = await openTables<LogTables>(url.startsWith('postgres') ? url : toLogFile(url));
  await migrate({
    ...{ kind, where: url, migrations: logMigrations.slice(0, 1), table: 'log_migrations' },
    alone: (run) => db.transaction().execute(run),
  });
  await db.transaction().execute(async (writing) => {
    const rows = records.map(({ record: { has_problem: _hasProblem, ...row } }) => row);
    await insert(writing, 'log_records', rows);
    await insert(
      writing,
      'log_details',
      records.map(({ record: { id, workspace_id }, detail }) => ({ id, workspace_id, ...detail })),
    );
    const labels = rows.flatMap(({ workspace_id, id, metadata }) =>
      Object.entries(JSON.parse(metadata)).map(([name, value]) => ({ workspace_id, name, value, id })),
    );
    await insert(writing, 'log_labels', labels);
    await insert(writing, 'log_totals', [{ name: 'bytes', value: rows.reduce((sum, { bytes }) => sum + bytes, 0) }]);
  });
  await close();
};
