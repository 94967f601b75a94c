import type { Kysely } from 'kysely';
import { ownModule } from '../../../../sdk/modules/own-module.ts';
import { type AskedThread, startAskedThread } from '../asked-thread.ts';
import type { Store } from '../store.ts';
import type { Question, StatementResult } from './messages.ts';

/** A thread in which SQLite runs. */
export type SqliteThread = AskedThread<Question, StatementResult | undefined>;

const module = ownModule('plugins/control/kernel/store/sqlite/worker');

/** @param where the store, for people */
export const startSqliteThread = (where: string): SqliteThread =>
  startAskedThread(module, {
    name: 'gatewright-store',
    toEnd: (error) =>
      error === undefined
        ? `The store ${where} is closed.`
        : `The store ${where} has failed: ${error.message}. Start this program again.`,
  });

/** Has jobs run in the thread of a file. Whoever has the connection of `writer` meanwhile is the only one that writes. */
export const performInThread =
  <Schema>(thread: SqliteThread, writer: Kysely<Schema>): Store['perform'] =>
  (job, bytes) =>
    writer.connection().execute(async () => {
      await thread.ask({ kind: 'perform', job: job.href, bytes });
    });
