import { setTimeout } from 'node:timers/promises';
import { findText } from '../../../../schema/json/loose.ts';
import type { Place } from '../../../sdk/fairness/fair-pool.ts';
import { writeFrame } from '../../../sdk/framings/sse.ts';
import type { Cancellation, GatewayResponse } from '../../../sdk/http/http.ts';
import { claimPlace, holdUntilEnd } from '../../kernel/fairness/shared-pools.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import { type BackgroundState, eventsFrom, type OneBackground, readStates, readStatus } from './response-store.ts';
import type { ResponseSeals, StoredResponses } from './stored-responses.ts';

/** The parts that the routes and the jobs of responses share. */
export interface ResponseParts
  extends Pick<WorkParts, 'store' | 'now' | 'jobs' | 'principalNow' | 'usageKept' | 'pools' | 'storedItems'> {
  readonly kept: StoredResponses;
  readonly seals: ResponseSeals;
  readonly feed: ResponseFeed;
}

/** A response whose events are requested, starting at a sequence number. */
interface Followed extends OneBackground {
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** Yields the events from a sequence number on, until the client disconnects or the response has ended. */
async function* toEvents(
  { store, feed }: Pick<ResponseParts, 'store' | 'feed'>,
  { from, cancellation, ...one }: Followed,
): AsyncGenerator<Buffer> {
  let next = from;
  // Read before the events, because the last event is written together with the end.
  let status = await readStatus(store.db, one);
  for (;;) {
    const read = await feed.readFrames(one, next);
    yield* read.frames;
    if (read.next !== next) next = read.next;
    else if (status !== 'in_progress' || cancellation.cancelled) return;
    else status = await feed.waitForChange({ ...one, from: next, cancellation });
  }
}

/**
 * Answers with a stream of the events of a response from a sequence number on. It uses the place that was claimed for it, or else
 * claims one. Rejects with the `GatewayError` `share-full` if the tenant has too many open streams.
 */
export const followedAnswer = async (
  parts: Pick<ResponseParts, 'store' | 'feed' | 'pools'>,
  followed: Followed,
  claimed?: Place,
): Promise<GatewayResponse> => {
  const { cancellation } = followed;
  const place = claimed ?? (await claimPlace(parts.pools.eventStreams, followed));
  return holdUntilEnd(
    {
      ...{ status: 200, headers: ['content-type', 'text/event-stream; charset=utf-8'], origin: 'gateway' },
      body: new IteratedBody(toEvents(parts, followed), cancellation),
    },
    place,
    cancellation,
  );
};

/** A wait for events of a response from a sequence number on, or for its end. */
interface Awaited extends OneBackground {
  /** The number of the first unknown event. */
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** Events of a response as they are sent, and the number after the last of them. */
interface EventFrames {
  readonly frames: readonly Buffer[];
  readonly next: number;
}

/** Notifies all followers of background responses of new events, and queries the store once for all of them. */
export interface ResponseFeed {
  /**
   * Resolves when there are new events, when the response has ended or is gone, or when the wait is cancelled. Rejects like the
   * store.
   */
  waitForChange(awaited: Awaited): Promise<BackgroundState['status']>;
  /** Resolves when the response has ended or is gone, or the wait is cancelled, even if the store is unavailable meanwhile. */
  waitForEnd(awaited: Omit<Awaited, 'from'>): Promise<void>;
  /**
   * Reads events from a sequence number on, once for all callers that request the same events at the same time. If it returns
   * none, there were none when it was called.
   */
  readFrames(one: OneBackground, from: number): Promise<EventFrames>;
}

/** The pause before the store is queried, in milliseconds, because another process may be making the response. */
const askEveryMs = 150;
/** The pause after a query, as a multiple of the query's duration. */
const restFactor = 4;

interface Follower extends PromiseWithResolvers<BackgroundState['status']>, Pick<Awaited, 'from'> {}

const toKey = ({ tenant, id }: OneBackground): string => `${tenant}/${id}`;

export const createResponseFeed = (store: Pick<Store, 'db' | 'kind'>, seals: ResponseSeals): ResponseFeed => {
  const followed = new Map<
    string,
    {
      readonly one: OneBackground;
      readonly followers: Set<Follower>;
    }
  >();
  const reading = new Map<string, Promise<EventFrames>>();
  let isAsking = false;

  const ask = async (): Promise<void> => {
    const all = [...followed.values()];
    try {
      const states = await readStates(
        store,
        all.map(({ one }) => one),
      );
      for (const state of states)
        for (const follower of followed.get(toKey(state))?.followers ?? [])
          if (state.status !== 'in_progress' || state.following > follower.from) follower.resolve(state.status);
    } catch (error) {
      for (const { followers } of all) for (const { reject } of followers) reject(error);
    }
  };

  const askOn = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    for (let restMs = askEveryMs; followed.size > 0; ) {
      await setTimeout(restMs);
      const from = performance.now();
      await ask();
      restMs = Math.max(askEveryMs, restFactor * (performance.now() - from));
    }
    isAsking = false;
  };

  const waitForChange: ResponseFeed['waitForChange'] = async ({ from, cancellation, ...one }) => {
    if (cancellation.cancelled) return 'in_progress';
    const key = toKey(one);
    const entry = followed.get(key) ?? { one, followers: new Set() };
    const follower: Follower = { ...Promise.withResolvers(), from };
    followed.set(key, entry);
    entry.followers.add(follower);
    void askOn();
    const stopListening = cancellation.onCancel(() => follower.resolve('in_progress'));
    try {
      return await follower.promise;
    } finally {
      stopListening();
      entry.followers.delete(follower);
      if (entry.followers.size === 0 && followed.get(key) === entry) followed.delete(key);
    }
  };

  const read: ResponseFeed['readFrames'] = async (one, from) => {
    const frames: Buffer[] = [];
    let next = from;
    for (const { number, following, events } of await eventsFrom(store.db, one, from)) {
      const opened = await seals.openEvents(one, number, events);
      for (const event of opened.slice(Math.max(0, next - number)))
        frames.push(Buffer.from(writeFrame({ event: findText(event.type) ?? 'message', data: JSON.stringify(event) })));
      next = following;
    }
    return { frames, next };
  };

  return {
    waitForChange,
    async waitForEnd(one) {
      while (!one.cancellation.cancelled) {
        const status = await waitForChange({ ...one, from: Number.POSITIVE_INFINITY }).catch(() => 'in_progress');
        if (status !== 'in_progress') return;
      }
    },
    async readFrames(one, from) {
      const key = `${toKey(one)}/${from}`;
      const earlier = await reading.get(key);
      // An empty read may have started before the last event was written.
      if (earlier !== undefined && earlier.next !== from) return earlier;
      const begun = reading.get(key) ?? read(one, from).finally(() => reading.delete(key));
      reading.set(key, begun);
      return begun;
    },
  };
};
