import type { WorkParts } from '../accounts/work-parts.ts';
import type { ResponseFeed } from './background/response-feed.ts';
import type { ResponseSeals, StoredResponses } from './stored/stored-responses.ts';

/** What the routes and the jobs of responses are made of. */
export interface ResponseParts
  extends Pick<WorkParts, 'store' | 'now' | 'jobs' | 'principalNow' | 'usageKept' | 'pools' | 'storedItems'> {
  readonly kept: StoredResponses;
  readonly seals: ResponseSeals;
  readonly feed: ResponseFeed;
}
