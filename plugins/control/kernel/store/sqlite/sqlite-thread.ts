import type { Kysely } from 'kysely';
import { ownModule } from '../../../../sdk/modules/own-module.ts';
import { startOwnThread } from '../../../../sdk/modules/own-thread.ts';
import { fromFailure } from '../failure.ts';
import { jobThreadYoungMb } from '../job.ts';
import { type Store, StoreError } from '../store.ts';
import type { Answer, Question, StatementResult } from './messages.ts';

/** A thread in which SQLite runs. */
export interface SqliteThread {
  /** Rejects with a `StoreError` where the file cannot be used, or the thread has ended. */
  ask(question: Question): Promise<StatementResult | undefined>;
  /** Closes its files, and waits until it has ended. */
  end(): Promise<void>;
}

type Waiting = PromiseWithResolvers<StatementResult | undefined>;

const module = ownModule('plugins/control/kernel/store/sqlite/worker');

/** @param where the store, for people */
export const startSqliteThread = (where: string): SqliteThread => {
  const worker = startOwnThread(module, { name: 'gatewright-store', youngMb: jobThreadYoungMb });
  const waiting = new Map<number, Waiting>();
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  let asked = 0;
  let ended: StoreError | undefined;

  const fail = (message: string): void => {
    ended ??= new StoreError(message);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failure' in answer) asker?.reject(fromFailure(answer.failure));
    else asker?.resolve(answer.result);
  });
  worker.on('error', (error) => fail(`The store ${where} has failed: ${error.message}. Start this program again.`));
  worker.on('exit', () => {
    fail(`The store ${where} is closed.`);
    exit();
  });

  const ask: SqliteThread['ask'] = (question) => {
    if (ended !== undefined) return Promise.reject(ended);
    const id = ++asked;
    worker.postMessage({ id, question });
    const asker: Waiting = Promise.withResolvers();
    waiting.set(id, asker);
    return asker.promise;
  };

  return {
    ask,
    async end() {
      if (ended === undefined) await ask({ kind: 'close' });
      ended ??= new StoreError(`The store ${where} is closed.`);
      await exited;
    },
  };
};

/** Has jobs run in the thread of a file. Whoever has the connection of `writer` meanwhile is the only one that writes. */
export const performInThread =
  <Schema>(thread: SqliteThread, writer: Kysely<Schema>): Store['perform'] =>
  (job, bytes) =>
    writer.connection().execute(async () => {
      await thread.ask({ kind: 'perform', job: job.href, bytes });
    });
