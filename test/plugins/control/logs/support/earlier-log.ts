import { type Kysely, sql } from 'kysely';
import { migrate } from '../../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { logMigrations } from '../../../../../plugins/control/logs/writer/log-migrations.ts';
import type { LogTables } from '../../../../../plugins/control/logs/writer/log-store.ts';
import { toLogFile } from '../../../../../plugins/control/logs/writer/open-log-store.ts';
import type { NewRecord } from '../../../../../plugins/control/logs/writer/to-record.ts';
import { openTables } from '../../../../support/older-store.ts';

const insert = async (db: Kysely<LogTables>, table: string, row: object): Promise<void> => {
  const names = Object.keys(row).map((name) => sql.ref(name));
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(db);
};

/** Writes records as the version did that knew only the first migration of the log. Nothing else has the log open. */
export const writeEarlierLog = async (url: string, records: readonly NewRecord[]): Promise<void> => {
  const { kind, db, close } = await openTables<LogTables>(url.startsWith('postgres') ? url : toLogFile(url));
  await migrate({
    ...{ kind, where: url, migrations: logMigrations.slice(0, 1), table: 'log_migrations' },
    alone: (run) => db.transaction().execute(run),
  });
  await db.transaction().execute(async (writing) => {
    for (const { record, detail } of records) {
      const { has_problem: _hasProblem, ...row } = record;
      await insert(writing, 'log_records', row);
      await insert(writing, 'log_details', detail);
      const { workspace_id, id, metadata } = record;
      for (const [name, value] of Object.entries(JSON.parse(metadata)))
        await insert(writing, 'log_labels', { workspace_id, name, value, id });
    }
    await insert(writing, 'log_totals', {
      name: 'bytes',
      value: records.reduce((sum, { record: { bytes } }) => sum + bytes, 0),
    });
  });
  await close();
};
