import type { Job } from '../../../../../plugins/control/kernel/store/job.ts';
import type { Tables } from '../../../../../plugins/control/kernel/store/tables.ts';

/** Ends the thread in which it runs, as one that has no memory left. */
export const job: Job<Tables> = async () => {
  process.exit(1);
};
