import { checkJob } from './check/check-job.ts';
import { endJob } from './ending/end-job.ts';
import { laneJob } from './lines/lane-job.ts';
import { listReaders } from './records/batch-store.ts';
import type { BatchJobParts } from './records/job-names.ts';

/** Lets a process run batches, and keeps the files that they read. */
export const runBatches = (parts: BatchJobParts): void => {
  for (const kind of [checkJob(parts), laneJob(parts), endJob(parts)]) parts.jobs.register(kind);
  parts.files.addUses((tenant, id, db) => listReaders(db, tenant, id));
};
