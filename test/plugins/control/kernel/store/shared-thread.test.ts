import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createSqliteThread,
  type Question,
  type SqliteThread,
} from '../../../../../plugins/control/kernel/store/sqlite/sqlite-thread.ts';
import { StoreError } from '../../../../../plugins/control/kernel/store/store.ts';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';

const run = (sql: string, on: 'reader' | 'writer' = 'writer'): Question => ({ kind: 'run', on, sql, parameters: [] });

/** Opens files of one thread. */
const openFiles = async <Names extends string>(
  ...names: readonly Names[]
): Promise<Readonly<Record<Names, SqliteThread & { readonly file: string }>>> => {
  const folder = temporaryFolder();
  const addFile = createSqliteThread();
  const opened = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, `${name}.db`);
      const thread = addFile(file);
      onTestFinished(() => thread.end());
      await thread.ask({ kind: 'open', file, serving: false });
      await thread.ask(run('create table lines (text)'));
      return [name, { ...thread, file }] as const;
    }),
  );
  return Object.fromEntries(opened) as Record<Names, SqliteThread & { readonly file: string }>;
};

/** Locks a file as another process does that writes to it. */
const lock = (file: string): (() => void) => {
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  other.exec('begin immediate');
  return () => other.exec('commit');
};

const insert = (text: string): Question => run(`insert into lines values ('${text}')`);

const linesIn = async (thread: SqliteThread): Promise<readonly unknown[]> =>
  (await thread.ask(run('select text from lines order by rowid', 'reader')))?.rows.map((row) => Object(row).text) ?? [];

describe('a thread with two SQLite files', () => {
  it('answers about one file while another process has the other one locked', async () => {
    const { store, log } = await openFiles('store', 'log');
    const unlock = lock(log.file);
    const waiting = log.ask(insert('waits'));
    await store.ask(run('begin immediate'));
    await store.ask(insert('one'));
    await store.ask(run('commit'));
    expect(await linesIn(store)).toEqual(['one']);
    expect(await linesIn(log)).toEqual([]);
    unlock();
    expect(await waiting).toMatchObject({ changes: 1 });
    expect(await linesIn(log)).toEqual(['waits']);
  });

  it('writes to a file in the order of the questions, if the first of them waits for another process', async () => {
    const { log } = await openFiles('log');
    const unlock = lock(log.file);
    const waiting = Promise.all([
      log.ask(run('begin immediate')),
      log.ask(insert('rolled back')),
      log.ask({ kind: 'rollback', on: 'writer' }),
      log.ask(run('begin immediate')),
      log.ask(insert('stays')),
      log.ask(run('commit')),
    ]);
    expect(await linesIn(log)).toEqual([]);
    unlock();
    await waiting;
    expect(await linesIn(log)).toEqual(['stays']);
  });

  it('keeps a file open after the other one is closed, and exits after the last', async () => {
    const { store, log } = await openFiles('store', 'log');
    let hasExited = false;
    void store.exited.then(() => {
      hasExited = true;
    });
    await store.end();
    await expect(store.ask(run('select 1'))).rejects.toThrow(new StoreError(`The store ${store.file} is closed.`));
    await log.ask(insert('one'));
    expect(await linesIn(log)).toEqual(['one']);
    expect(hasExited).toBe(false);
    await log.end();
    expect(hasExited).toBe(true);
  });

  it('exits if both files are closed at once', async () => {
    const { store, log } = await openFiles('store', 'log');
    await Promise.all([store.end(), log.end(), store.end()]);
    await store.exited;
  });

  it('exits only after a write that waits for another process, if the other file is closed before', async () => {
    const { store, log } = await openFiles('store', 'log');
    const unlock = lock(store.file);
    const waiting = store.ask(insert('one'));
    const ends = Promise.all([store.end(), log.end()]);
    const written = Promise.all([waiting, ends]);
    await log.end();
    unlock();
    await expect(written).resolves.toMatchObject([{ changes: 1 }, {}]);
    await store.exited;
  });

  it('starts again with the next file', async () => {
    const folder = temporaryFolder();
    const addFile = createSqliteThread();
    const opened = async (name: string): Promise<void> => {
      const file = path.join(folder, name);
      const thread = addFile(file);
      await thread.ask({ kind: 'open', file, serving: false });
      await thread.end();
      await thread.exited;
    };
    await opened('one.db');
    await opened('two.db');
  });

  it('rejects questions about both files if it fails', async () => {
    const { store, log } = await openFiles('store', 'log');
    const job = new URL('exiting-job.ts', import.meta.url).href;
    const pending = log.ask({ kind: 'perform', job, bytes: new Uint8Array() });
    await expect(pending).rejects.toThrow(new StoreError(`The store ${log.file} is closed.`));
    await expect(store.ask(run('select 1'))).rejects.toThrow(new StoreError(`The store ${store.file} is closed.`));
  });
});
