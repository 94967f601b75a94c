import { isMainThread } from 'node:worker_threads';
import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';

/** Is done in a thread that is not the main one of this process. */
export const job: Job<never> = async (_writing, { bytes }) => {
  if (isMainThread || Buffer.from(bytes).toString() !== String(process.pid)) throw new Error('It runs elsewhere.');
};
