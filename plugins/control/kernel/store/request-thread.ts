import type { Worker } from 'node:worker_threads';
import { startOwnThread } from '../../../sdk/loading/own-thread.ts';
import { StoreError } from './store.ts';
import { type Failure, fromFailure } from './thread-failure.ts';

/**
 * The size of V8's nursery in a thread that runs jobs, in megabytes. With less, too much of what a job allocates survives, and the
 * whole heap is collected each second; with more, the processor's caches have less room for the thread that serves.
 */
const jobThreadYoungMb = 12;

export interface Close {
  readonly kind: 'close';
}

/** A thread that answers the questions sent to it. A question of the kind `close` is the last one. */
export interface RequestThread<Question, Result> {
  /** Rejects with the thread's error, or with a `StoreError` if the thread has ended. */
  ask(question: Question | Close): Promise<Result>;
  /** Asks the thread to close what it has open for this user. If there is no other, waits until the thread has ended. */
  end(): Promise<void>;
  readonly exited: Promise<void>;
}

/** Returns the message for pending questions when the thread has ended, or failed with an error. */
type ToEnd = (error?: Error) => string;

interface AskedQuestion<Question> {
  readonly id: number;
  /** The number of the user of the thread that asks. */
  readonly user: number;
  readonly question: Question | Close;
}

/** A message to the thread. `exit` ends it, when it has no user any more. */
export type ToThread<Question> = AskedQuestion<Question> | 'exit';

export interface GivenAnswer<Result> {
  readonly id: number;
  readonly user: number;
  /** Absent if there is a failure, or if the answer has no content. */
  readonly result?: Result;
  readonly failure?: Failure;
}

/** A user of a thread, which receives the thread's messages. */
interface ThreadUser<Result> {
  receive(answer: GivenAnswer<Result>): void;
  /** Rejects what is pending, and what is asked from now on. */
  stop(error?: Error): void;
}

interface RunningThread<Result> {
  readonly worker: Worker;
  /** Those that have not ended. */
  readonly users: Map<number, ThreadUser<Result>>;
  readonly exited: Promise<void>;
}

const runThread = <Result>(module: URL, name: string): RunningThread<Result> => {
  const worker = startOwnThread(module, { name, youngMb: jobThreadYoungMb });
  const users = new Map<number, ThreadUser<Result>>();
  const exit = Promise.withResolvers<void>();
  const stopAll = (error?: Error): void => {
    for (const user of users.values()) user.stop(error);
  };
  worker.on('message', (answer: GivenAnswer<Result>) => users.get(answer.user)?.receive(answer));
  worker.on('error', stopAll);
  worker.on('exit', () => {
    stopAll();
    exit.resolve();
  });
  return { worker, users, exited: exit.promise };
};

const addUser = <Question, Result>(
  thread: RunningThread<Result>,
  user: number,
  toEnd: ToEnd,
): RequestThread<Question, Result> => {
  const { worker, users, exited } = thread;
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  let asked = 0;
  let ended: StoreError | undefined;
  let ending: Promise<void> | undefined;

  const stop = (error?: Error): void => {
    ended ??= new StoreError(toEnd(error));
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  users.set(user, {
    receive({ id, result, failure }) {
      const asker = waiting.get(id);
      waiting.delete(id);
      if (failure === undefined) asker?.resolve(result as Result);
      else asker?.reject(fromFailure(failure));
    },
    stop,
  });

  const ask = (question: Question | Close): Promise<Result> => {
    if (ended !== undefined) return Promise.reject(ended);
    asked += 1;
    worker.postMessage({ id: asked, user, question } satisfies ToThread<Question>);
    const asker = Promise.withResolvers<Result>();
    waiting.set(asked, asker);
    return asker.promise;
  };

  /** The thread exits only when all users have left, because another one may still be waiting for its last answers. */
  const leave = async (): Promise<void> => {
    stop();
    users.delete(user);
    if (users.size > 0) return;
    worker.postMessage('exit' satisfies ToThread<Question>);
    await exited;
  };

  const close = async (): Promise<void> => {
    if (ended === undefined) await ask({ kind: 'close' });
  };

  return {
    ask,
    end() {
      ending ??= close().finally(leave);
      return ending;
    },
    exited,
  };
};

/**
 * Creates a thread of the gateway whose module calls `answerQuestions`. It starts with its first user and ends with its last; the
 * next user starts it again. Returns a function that adds a user.
 *
 * @param name the name of the thread, as profiles and `top -H` show it
 */
export const createRequestThread = <Question, Result>(
  module: URL,
  name: string,
): ((toEnd: ToEnd) => RequestThread<Question, Result>) => {
  let running: RunningThread<Result> | undefined;
  let users = 0;

  const start = (): RunningThread<Result> => {
    const thread = runThread<Result>(module, name);
    void thread.exited.then(() => {
      if (running === thread) running = undefined;
    });
    return thread;
  };

  return (toEnd) => {
    if (running === undefined || running.users.size === 0) running = start();
    users += 1;
    return addUser(running, users, toEnd);
  };
};
