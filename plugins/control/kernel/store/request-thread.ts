import { parentPort } from 'node:worker_threads';
import { startOwnThread } from '../../../sdk/loading/own-thread.ts';
import { StoreError } from './store.ts';

/**
 * The size of V8's nursery in a thread that runs jobs, in megabytes. What jobs allocate is garbage soon: with an eighth of V8's
 * default, a record of the log costs as much CPU time.
 */
const jobThreadYoungMb = 6;

/** An error as another thread receives it: `code` is the database's code, and `store` marks the sentence of a `StoreError`. */
export interface Failure {
  readonly message: string;
  /** SQLite's extended result code, or an SQLSTATE. */
  readonly code?: number | string | undefined;
  readonly store?: true;
}

/** A database refused a statement in another thread. */
class StatementError extends Error {
  override readonly name = 'StatementError';
  /** Of SQLite: https://www.sqlite.org/rescode.html */
  readonly errcode: number | undefined;
  /** Of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
  readonly code: string | undefined;

  constructor({ message, code }: Failure) {
    super(message);
    this.errcode = typeof code === 'number' ? code : undefined;
    this.code = typeof code === 'string' ? code : undefined;
  }
}

/** Recreates the error that another thread has reported. */
export const fromFailure = (failure: Failure): Error => {
  const refused = new StatementError(failure);
  return failure.store === true ? new StoreError(failure.message, { cause: refused }) : refused;
};

/** A thread that answers the questions sent to it. A question of the kind `close` is the last one. */
export interface RequestThread<Question, Result> {
  /** Rejects with the thread's error, or with a `StoreError` if the thread has ended. */
  ask(question: Question | { readonly kind: 'close' }): Promise<Result>;
  /** Asks the thread to close what it has open, and waits until it has ended. */
  end(): Promise<void>;
  readonly exited: Promise<void>;
}

export interface AskedThreadOptions {
  /** The name of the thread, shown to people. */
  readonly name: string;
  readonly workerData?: unknown;
  /** Returns the message for pending questions when the thread has ended, or failed with an error. */
  readonly toEnd: (error?: Error) => string;
}

/** Starts a thread of the gateway whose module calls `answerQuestions`. */
export const startRequestThread = <Question, Result>(
  module: URL,
  { name, workerData, toEnd }: AskedThreadOptions,
): RequestThread<Question, Result> => {
  const worker = startOwnThread(module, { name, workerData, youngMb: jobThreadYoungMb });
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  const exit = Promise.withResolvers<void>();
  let asked = 0;
  let ended: StoreError | undefined;

  const stop = (error?: Error): void => {
    ended ??= new StoreError(toEnd(error));
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.on('message', ({ id, result, failure }: { id: number; result: Result; failure?: Failure }) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) asker?.resolve(result);
    else asker?.reject(fromFailure(failure));
  });
  worker.on('error', stop);
  worker.on('exit', () => {
    stop();
    exit.resolve();
  });

  const ask: RequestThread<Question, Result>['ask'] = (question) => {
    if (ended !== undefined) return Promise.reject(ended);
    asked += 1;
    worker.postMessage({ id: asked, question });
    const asker = Promise.withResolvers<Result>();
    waiting.set(asked, asker);
    return asker.promise;
  };

  return {
    ask,
    async end() {
      if (ended === undefined) await ask({ kind: 'close' });
      stop();
      await exit.promise;
    },
    exited: exit.promise,
  };
};

/** Answers the questions of the thread that started this one, and ends after a question of the kind `close`. */
export const answerQuestions = <Question extends { readonly kind: string }, Result>(
  answer: (question: Question) => Promise<Result>,
  toFailure: (error: unknown) => Failure,
): void => {
  parentPort?.on('message', async ({ id, question }: { id: number; question: Question }) => {
    parentPort?.postMessage(
      await answer(question).then(
        (result) => ({ id, result }),
        (error) => ({ id, failure: toFailure(error) }),
      ),
    );
    // A server that hangs keeps connections open.
    if (question.kind === 'close') process.exit(0);
  });
};
