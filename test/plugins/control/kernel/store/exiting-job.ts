import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';

/** Ends the thread in which it runs, as if that had run out of memory. */
export const job: Job<Tables> = async () => {
  process.exit(1);
};
