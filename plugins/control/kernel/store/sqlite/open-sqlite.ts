import path from 'node:path';
import { Kysely } from 'kysely';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { OlderStore, Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { toStore } from '../to-store.ts';
import { performInThread, type SqliteThread, startSqliteThread, threadDialect } from './sqlite-thread.ts';
import { writesInTurn } from './writes-in-turn.ts';

/** Copies in a separate thread, so that nothing waits for it. */
const copyInThread = async (file: string, to: string): Promise<void> => {
  const thread = startSqliteThread(file);
  try {
    await thread.ask({ kind: 'copy', file, to });
  } finally {
    await thread.end();
  }
};

export interface OpenSqliteOptions {
  readonly file: string;
  readonly serving: boolean;
  /** `upgrade` if absent. */
  readonly older?: OlderStore | undefined;
  /** The thread of the file, if others use it too: the log, or several processes. */
  readonly thread?: SqliteThread | undefined;
  /** Notified of what takes long, as sentences for the operator. */
  readonly say?: ((text: string) => void) | undefined;
}

/** @throws StoreError */
export const openSqlite = async ({
  file,
  serving,
  older,
  thread = startSqliteThread(file),
  say,
}: OpenSqliteOptions): Promise<Store> => {
  const inTurn = writesInTurn();
  const writer = new Kysely<Tables>({ dialect: threadDialect(thread, 'writer') });
  try {
    await thread.ask({ kind: 'open', file, serving });
    await migrate({
      kind: 'sqlite',
      where: file,
      migrations,
      older,
      say,
      alone: (run) => writer.transaction().execute(run),
    });
  } catch (error) {
    await thread.end();
    throw error;
  }
  const perform = performInThread(thread, writer);
  return toStore({
    kind: 'sqlite',
    where: file,
    reader: new Kysely<Tables>({ dialect: threadDialect(thread, 'reader') }),
    transact: (run) => inTurn(() => writer.transaction().execute(run)),
    perform: (job, text) => inTurn(() => perform(job, text)),
    announce: async () => {},
    watch: () => () => {},
    backup: (to) => copyInThread(file, path.resolve(to)),
    close: () => thread.end(),
  });
};
