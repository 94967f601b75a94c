import type { Place } from '../../../../sdk/fairness/fair-pool.ts';
import type { Cancellation, GatewayResponse } from '../../../../sdk/http/http.ts';
import { claimPlace, holdUntilEnd } from '../../../kernel/pools/claim-place.ts';
import type { SharedPools } from '../../../kernel/pools/shared-pools.ts';
import { IteratedBody } from '../../../kernel/requests/iterated-body.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { type OneBackground, readStatus } from './events-store.ts';
import type { ResponseFeed } from './response-feed.ts';
import type { ReadFrames } from './shared-events.ts';

export interface FollowParts {
  readonly store: Pick<Store, 'db'>;
  readonly feed: ResponseFeed;
  readonly readFrames: ReadFrames;
  readonly pools: Pick<SharedPools, 'eventStreams'>;
}

/** A response whose events are asked for, from a sequence number on. */
export interface Followed extends OneBackground {
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** The events from a sequence number on, until its client leaves or the response has ended. */
async function* toEvents(
  { store, feed, readFrames }: FollowParts,
  { from, cancellation, ...one }: Followed,
): AsyncGenerator<Buffer> {
  let next = from;
  // Asked before the events: the last one is written together with the end.
  let status = await readStatus(store.db, one);
  for (;;) {
    const read = await readFrames(one, next);
    yield* read.frames;
    if (read.next !== next) next = read.next;
    else if (status !== 'in_progress' || cancellation.cancelled) return;
    else status = await feed.moved({ ...one, from: next, cancellation });
  }
}

/** A place for a stream of events. Rejects with the `GatewayError` `share-full` where the tenant has too many open. */
export const claimStream = (
  { pools }: Pick<FollowParts, 'pools'>,
  followed: Pick<Followed, 'tenant' | 'cancellation'>,
): Promise<Place> => claimPlace(pools.eventStreams, followed);

/** An answer that streams the events of a response from a sequence number on, with a place that was claimed for it. */
export const followedAnswer = (parts: FollowParts, followed: Followed, place: Place): GatewayResponse => {
  const { cancellation } = followed;
  const answer: GatewayResponse = {
    status: 200,
    headers: ['content-type', 'text/event-stream; charset=utf-8'],
    origin: 'gateway',
    body: new IteratedBody(toEvents(parts, followed), cancellation),
  };
  return holdUntilEnd(answer, place, cancellation);
};
