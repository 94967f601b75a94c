import { setTimeout } from 'node:timers/promises';
import { orCancelled } from '../../../sdk/time/or-cancelled.ts';
import { StoreError } from '../store/store.ts';
import type { RunningJob } from './job-queue.ts';

const pauseMs = 1000;

/**
 * Runs what the store refuses while it is unavailable again, each second, as long as the job is this process's: what providers have
 * answered is not asked of them again because of a moment. Rejects as `run` does otherwise.
 */
export const outlastStore = async <Result>(
  { cancellation }: Pick<RunningJob, 'cancellation'>,
  run: () => Promise<Result>,
): Promise<Result> => {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await orCancelled(setTimeout(pauseMs), cancellation);
      if (cancellation.cancelled) throw error;
    }
  }
};
