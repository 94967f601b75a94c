import { isMainThread } from 'node:worker_threads';
import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';

/** Fails unless it runs in a thread of this process other than the main thread. */
export const job: Job<never> = async (_writing, { bytes }) => {
  if (isMainThread || Buffer.from(bytes).toString() !== String(process.pid)) throw new Error('It runs elsewhere.');
};
