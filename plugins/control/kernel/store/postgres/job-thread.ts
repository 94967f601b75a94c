import { ownModule } from '../../../../sdk/modules/own-module.ts';
import { startOwnThread } from '../../../../sdk/modules/own-thread.ts';
import { fromFailure } from '../failure.ts';
import { jobThreadYoungMb } from '../job.ts';
import { type Store, StoreError } from '../store.ts';
import type { JobAnswer, JobQuestion, JobThreadOptions } from './job-messages.ts';

/** Runs jobs in a thread that has a connection of its own. */
export interface JobThread {
  perform: Store['perform'];
  /** Ends the thread, if it runs. Jobs that have not ended by then reject. */
  end(): Promise<void>;
}

type Waiting = PromiseWithResolvers<void>;

interface Running {
  ask(question: JobQuestion): void;
  readonly waiting: Map<number, Waiting>;
  readonly exited: Promise<void>;
}

const module = ownModule('plugins/control/kernel/store/postgres/job-worker');

const start = (options: JobThreadOptions): Running => {
  const worker = startOwnThread(module, { name: 'gatewright-jobs', workerData: options, youngMb: jobThreadYoungMb });
  const waiting = new Map<number, Waiting>();
  let failure = 'its thread has ended';
  worker.on('message', ({ id, failure: of }: JobAnswer) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (of === undefined) asker?.resolve();
    else asker?.reject(fromFailure(of));
  });
  worker.on('error', (error) => {
    failure = `its thread has failed: ${error.message}`;
  });
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      for (const { reject } of waiting.values())
        reject(new StoreError(`A job of the store ${options.where} did not end: ${failure}.`));
      resolve();
    });
  });
  return { ask: (question) => worker.postMessage(question), waiting, exited };
};

/** The thread begins with the first job, and again with the next one where it has failed. */
export const createJobThread = (options: JobThreadOptions): JobThread => {
  let running: Running | undefined;
  let asked = 0;

  const started = (): Running => {
    if (running !== undefined) return running;
    const made = start(options);
    running = made;
    void made.exited.then(() => {
      if (running === made) running = undefined;
    });
    return made;
  };

  return {
    perform(job, bytes) {
      const { ask, waiting } = started();
      const id = ++asked;
      const asker: Waiting = Promise.withResolvers();
      waiting.set(id, asker);
      ask({ kind: 'perform', id, job: job.href, bytes });
      return asker.promise;
    },
    async end() {
      if (running === undefined) return;
      running.ask({ kind: 'close' });
      await running.exited;
    },
  };
};
