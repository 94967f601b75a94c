import type { Clock } from '../../../../../sdk/clock.ts';
import type { WorkParts } from '../../../accounts/work-parts.ts';

/** What the jobs of batches are made of. */
export interface BatchJobParts
  extends Pick<WorkParts, 'store' | 'files' | 'blobs' | 'jobs' | 'principalNow' | 'usageKept' | 'readView'> {
  readonly clock: Clock;
}
