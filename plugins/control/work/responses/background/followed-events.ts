import type { Place } from '../../../../sdk/fairness/fair-pool.ts';
import type { Cancellation, GatewayResponse } from '../../../../sdk/http/http.ts';
import { claimPlace, holdUntilEnd } from '../../../kernel/pools/shared-pools.ts';
import { IteratedBody } from '../../../kernel/requests/iterated-body.ts';
import { type OneBackground, readStatus } from '../stored/response-store.ts';
import type { ResponseParts } from './response-parts.ts';

/** A response whose events are asked for, from a sequence number on. */
interface Followed extends OneBackground {
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** Yields the events from a sequence number on, until its client leaves or the response has ended. */
async function* toEvents(
  { store, feed }: Pick<ResponseParts, 'store' | 'feed'>,
  { from, cancellation, ...one }: Followed,
): AsyncGenerator<Buffer> {
  let next = from;
  // Asked before the events: the last one is written together with the end.
  let status = await readStatus(store.db, one);
  for (;;) {
    const read = await feed.readFrames(one, next);
    yield* read.frames;
    if (read.next !== next) next = read.next;
    else if (status !== 'in_progress' || cancellation.cancelled) return;
    else status = await feed.moved({ ...one, from: next, cancellation });
  }
}

/**
 * Answers with a stream of the events of a response from a sequence number on, in a place that was claimed for it, or else in
 * one that it claims. Rejects with the `GatewayError` `share-full` where the tenant has too many open.
 */
export const followedAnswer = async (
  parts: Pick<ResponseParts, 'store' | 'feed' | 'pools'>,
  followed: Followed,
  claimed?: Place,
): Promise<GatewayResponse> => {
  const { cancellation } = followed;
  const place = claimed ?? (await claimPlace(parts.pools.eventStreams, followed));
  const answer: GatewayResponse = {
    status: 200,
    headers: ['content-type', 'text/event-stream; charset=utf-8'],
    origin: 'gateway',
    body: new IteratedBody(toEvents(parts, followed), cancellation),
  };
  return holdUntilEnd(answer, place, cancellation);
};
