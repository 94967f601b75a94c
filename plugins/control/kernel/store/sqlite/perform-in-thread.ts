import type { Kysely } from 'kysely';
import type { Store } from '../store.ts';
import type { SqliteThread } from './sqlite-thread.ts';

/** Has jobs run in the thread of a file. Whoever has the connection of `writer` meanwhile is the only one that writes. */
export const performInThread =
  <Schema>(thread: SqliteThread, writer: Kysely<Schema>): Store['perform'] =>
  (job, bytes) =>
    writer.connection().execute(async () => {
      await thread.ask({ kind: 'perform', job: job.href, bytes });
    });
