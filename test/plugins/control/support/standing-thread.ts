import { createRequestThread } from '../../../../plugins/control/kernel/store/request-thread.ts';
import type {
  Question,
  SqliteThread,
  StatementResult,
} from '../../../../plugins/control/kernel/store/sqlite/sqlite-thread.ts';
import { StoreError } from '../../../../plugins/control/kernel/store/store.ts';

const module = new URL('standing-worker.ts', import.meta.url);

const start = (): SqliteThread =>
  createRequestThread<Question, StatementResult | undefined>(
    module,
    'tests-store',
  )((error) => `The thread of the tests' stores has ended: ${error?.message}`);

/** Threads that have no file open. */
const idle: SqliteThread[] = [];

/**
 * Returns a thread for one SQLite file. The thread is reused for another file after that, because starting a thread can take ten
 * times as much processor time as all queries of a test.
 */
export const standingThread = (where: string): SqliteThread => {
  const thread = idle.pop() ?? start();
  const exit = Promise.withResolvers<void>();
  let ending: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await thread.ask({ kind: 'close' });
    idle.push(thread);
    exit.resolve();
  };
  return {
    ask: (question) =>
      ending === undefined ? thread.ask(question) : Promise.reject(new StoreError(`The store ${where} is closed.`)),
    end: () => {
      ending ??= close();
      return ending;
    },
    exited: exit.promise,
  };
};
