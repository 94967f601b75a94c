import type { Clock } from '../../../../../sdk/clock.ts';
import type { TenantId } from '../../../../../sdk/exchange/exchange.ts';
import type { JobQueue, RunningJob } from '../../../../kernel/jobs/job-queue.ts';
import type { Writing } from '../../../../kernel/store/store.ts';
import type { WorkParts } from '../../../accounts/work-parts.ts';

/** The parts of which the jobs of batches are made. */
export interface BatchJobParts
  extends Pick<WorkParts, 'store' | 'files' | 'blobs' | 'jobs' | 'principalNow' | 'usageKept' | 'readView'> {
  readonly clock: Clock;
}

/** The kinds of jobs of a batch: its file is checked, its parts are run, its files are written. */
export const kinds = { check: 'batch-check', lane: 'batch-lane', end: 'batch-end' } as const;

/** A batch, as its jobs name it. */
export interface BatchName {
  readonly id: string;
  readonly tenant: TenantId;
}

export const toName = ({ payload, tenant }: Pick<RunningJob, 'payload' | 'tenant'>): BatchName => ({
  id: String(payload.batch),
  // Workspaces are what tenants are named by.
  tenant: tenant as TenantId,
});

/** Has the job that ends a batch look at it now. */
export const hurryEnd = (jobs: JobQueue, writing: Writing, id: string): Promise<void> =>
  jobs.hurry(writing, { kind: kinds.end, id });
