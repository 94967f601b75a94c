import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Migration, migrate } from '../../../../../plugins/control/kernel/store/migrations/migrate.ts';
import { migrations } from '../../../../../plugins/control/kernel/store/migrations/migrations.ts';
import { startSqliteThread, threadDialect } from '../../../../../plugins/control/kernel/store/sqlite/sqlite-thread.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

const statement = (number: number, text: string): Migration => ({
  number,
  name: `step-${number}`,
  async up(db) {
    await sql.raw(text).execute(db);
  },
});

const first = statement(1, 'create table a (id text)');
const second = statement(2, 'alter table a add column name text');
const failing = statement(3, 'insert into no_such_table values (1)');

const openEmpty = async () => {
  const file = path.join(temporaryFolder(), 'gateway.db');
  const thread = startSqliteThread(file);
  onTestFinished(() => thread.end());
  await thread.ask({ kind: 'open', file, serving: false });
  const db = new Kysely<Tables>({ dialect: threadDialect(thread, 'writer') });
  const numbers = async (): Promise<readonly unknown[]> =>
    (await sql<{ number: number }>`select number from migrations`.execute(db)).rows.map(({ number }) => number);
  const columns = async (): Promise<readonly string[]> =>
    (await sql<{ name: string }>`select name from pragma_table_info('a')`.execute(db)).rows.map(({ name }) => name);
  const run = (list: readonly Migration[]): Promise<void> =>
    migrate({
      kind: 'sqlite',
      where: 'gateway.db',
      migrations: list,
      alone: (inside) => db.transaction().execute(inside),
    });
  return { run, numbers, columns };
};

describe('migrations', () => {
  it('are numbered consecutively from 1', () => {
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, at) => at + 1));
  });

  it('bring an older store up to date, and each runs once', async () => {
    const { run, numbers, columns } = await openEmpty();
    await run([first]);
    expect(await columns()).toEqual(['id']);
    await run([first, second]);
    await run([first, second]);
    expect(await columns()).toEqual(['id', 'name']);
    expect(await numbers()).toEqual([1, 2]);
  });

  it('leave the store as it was if one of them fails', async () => {
    const { run, numbers, columns } = await openEmpty();
    await run([first]);
    await expect(run([first, second, failing])).rejects.toThrow(
      'The tables of the store gateway.db cannot be created: ',
    );
    expect(await columns()).toEqual(['id']);
    expect(await numbers()).toEqual([1]);
  });

  it('are refused by a version that knows fewer of them', async () => {
    const { run, numbers } = await openEmpty();
    await run([first, second]);
    await expect(run([first])).rejects.toThrow(
      'The store gateway.db was written by a newer version of this program (migration 2; this one knows 1). Start that version, or restore an earlier backup.',
    );
    expect(await numbers()).toEqual([1, 2]);
  });
});
