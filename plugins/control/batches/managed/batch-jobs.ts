import type { BatchJobParts } from './batch-job-parts.ts';
import { readersOf } from './batch-store.ts';
import { checkJob } from './check/check-job.ts';
import { endJob } from './ending/end-job.ts';
import { laneJob } from './lines/lane-job.ts';

/** Lets a process run batches, and keeps the files that they read. */
export const runBatches = (parts: BatchJobParts): void => {
  for (const kind of [checkJob(parts), laneJob(parts), endJob(parts)]) parts.jobs.register(kind);
  parts.files.addUses((tenant, id, db) => readersOf(db, tenant, id));
};
