import type { WorkParts } from '../../accounts/work-parts.ts';
import type { ResponseSeals, StoredResponses } from '../stored/stored-responses.ts';
import type { ResponseFeed } from './response-feed.ts';

/** The parts that the routes and the jobs of responses share. */
export interface ResponseParts
  extends Pick<WorkParts, 'store' | 'now' | 'jobs' | 'principalNow' | 'usageKept' | 'pools' | 'storedItems'> {
  readonly kept: StoredResponses;
  readonly seals: ResponseSeals;
  readonly feed: ResponseFeed;
}
