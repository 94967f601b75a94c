import { ownModule } from '../../../../sdk/modules/own-module.ts';
import { type AskedThread, startAskedThread } from '../asked-thread.ts';
import type { Store } from '../store.ts';
import type { PoolOptions } from './pool.ts';

/** The options that the thread of jobs begins with: the database of which it has connections of its own. */
export interface JobThreadOptions extends Pick<PoolOptions, 'url' | 'where' | 'timeouts'> {
  /** Whether its jobs write in the turns of a store, after all others that do; those of a log take turns among themselves. */
  readonly inTurn: boolean;
}

/** A job that the thread is asked to run. */
export interface JobQuestion {
  readonly kind: 'perform';
  readonly job: string;
  readonly bytes: Uint8Array;
}

/** Runs jobs in a thread that has a connection of its own. */
export interface JobThread {
  perform: Store['perform'];
  /** Ends the thread, if it runs. Jobs that have not ended by then reject. */
  end(): Promise<void>;
}

const module = ownModule('plugins/control/kernel/store/postgres/job-worker');

/** The thread begins with the first job, and again with the next one where it has failed. */
export const createJobThread = (options: JobThreadOptions): JobThread => {
  let running: AskedThread<JobQuestion, void> | undefined;

  const start = (): AskedThread<JobQuestion, void> => {
    const thread = startAskedThread<JobQuestion, void>(module, {
      name: 'gatewright-jobs',
      workerData: options,
      toEnd: (error) =>
        `A job of the store ${options.where} did not end: its thread has ${error === undefined ? 'ended' : `failed: ${error.message}`}.`,
    });
    void thread.exited.then(() => {
      running = undefined;
    });
    return thread;
  };

  return {
    perform(job, bytes) {
      running ??= start();
      return running.ask({ kind: 'perform', job: job.href, bytes });
    },
    end: async () => running?.end(),
  };
};
