import { setTimeout } from 'node:timers/promises';
import { textOf } from '../../../../schema/loose.ts';
import { writeFrame } from '../../../sdk/framings/sse.ts';
import type { Cancellation, GatewayResponse } from '../../../sdk/http.ts';
import { IteratedBody } from '../../saved/iterated-body.ts';
import type { Store } from '../../store/store.ts';
import type { ResponseSeals } from '../response-seals.ts';
import { eventsFrom, type OneBackground, statusOf } from './events-store.ts';

export interface FollowParts {
  readonly store: Pick<Store, 'db'>;
  readonly seals: ResponseSeals;
}

/** How often the store is asked for events, in milliseconds: another process may make the response. */
const askEveryMs = 150;

/** A response whose events are asked for, from a sequence number on. */
export interface Followed extends OneBackground {
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** The events from a sequence number on, until its client leaves or the response has ended. */
async function* eventsOf({ store, seals }: FollowParts, { from, ...one }: Followed): AsyncGenerator<Buffer> {
  let next = from;
  for (;;) {
    // Asked first: the last event is written together with the end.
    const isOver = (await statusOf(store.db, one)) !== 'in_progress';
    const rows = await eventsFrom(store.db, one, next);
    for (const { number, following, events } of rows) {
      const opened = await seals.openEvents({ ...one, number }, events);
      for (const event of opened.slice(Math.max(0, next - number)))
        yield Buffer.from(writeFrame({ event: textOf(event.type) ?? 'message', data: JSON.stringify(event) }));
      next = following;
    }
    if (rows.length === 0) {
      if (isOver || one.cancellation.cancelled) return;
      await setTimeout(askEveryMs);
    }
  }
}

/** An answer that streams the events of a response from a sequence number on. */
export const followedAnswer = (parts: FollowParts, followed: Followed): GatewayResponse => ({
  status: 200,
  headers: ['content-type', 'text/event-stream; charset=utf-8'],
  origin: 'gateway',
  body: new IteratedBody(eventsOf(parts, followed), followed.cancellation),
});
