import type { Clock } from '../../../../sdk/clock.ts';
import type { OpenLateUses } from '../../../metering/limiter/late-uses.ts';
import type { WorkParts } from '../../accounts/work-parts.ts';

/** What the job that waits for batches of providers is made of. */
export interface WatchParts extends WorkParts {
  readonly clock: Pick<Clock, 'wall'>;
  readonly lateUses: OpenLateUses;
  /** Lines that are charged in one transaction, which others wait for; 500 if absent. */
  readonly linesAtOnce?: number;
}
