import type { ControlParts } from '../../control-parts.ts';
import type { Clock } from '../../identity/clock.ts';

/** What the jobs of batches are made of. */
export interface BatchJobParts
  extends Pick<ControlParts, 'store' | 'files' | 'blobs' | 'jobs' | 'principalNow' | 'usageKept' | 'viewOf'> {
  readonly clock: Clock;
}
