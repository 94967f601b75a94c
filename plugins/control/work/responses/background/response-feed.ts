import { setTimeout } from 'node:timers/promises';
import type { Cancellation } from '../../../../sdk/http/http.ts';
import type { Store } from '../../../kernel/store/store.ts';
import { type BackgroundState, type OneBackground, readStates } from './events-store.ts';

/** What of a response is waited for: events behind a sequence number, or its end. */
export interface Awaited extends OneBackground {
  /** The number of the first event that is not known. */
  readonly from: number;
  readonly cancellation: Cancellation;
}

/** Tells all who follow responses in the background what is new, and asks the store for all of them at once. */
export interface ResponseFeed {
  /**
   * Resolves when there are events that are not known, when the response has ended or is gone, and when it is cancelled.
   * Rejects as the store does.
   */
  moved(awaited: Awaited): Promise<BackgroundState['status']>;
  /** Resolves when the response has ended or is gone, or it is cancelled, also if the store is unavailable meanwhile. */
  ended(awaited: Omit<Awaited, 'from'>): Promise<void>;
}

/** How often the store is asked, in milliseconds: another process may make the response. */
const askEveryMs = 150;
/** How many times as long as an answer took the store is left alone. */
const restFactor = 4;

interface Follower extends Pick<Awaited, 'from'> {
  resolve(status: BackgroundState['status']): void;
  reject(error: unknown): void;
}

interface FollowedResponse {
  readonly one: OneBackground;
  readonly followers: Set<Follower>;
}

const toKey = ({ tenant, id }: OneBackground): string => `${tenant}/${id}`;

export const createResponseFeed = (store: Pick<Store, 'db' | 'kind'>): ResponseFeed => {
  const followed = new Map<string, FollowedResponse>();
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
    for (let restMs = askEveryMs; followed.size > 0; ) {
      await setTimeout(restMs);
      const from = performance.now();
      await ask();
      restMs = Math.max(askEveryMs, restFactor * (performance.now() - from));
    }
    isAsking = false;
  };

  const follow = (one: OneBackground, follower: Follower): (() => void) => {
    const key = toKey(one);
    const entry = followed.get(key) ?? { one, followers: new Set() };
    followed.set(key, entry);
    entry.followers.add(follower);
    if (!isAsking) {
      isAsking = true;
      void askOn();
    }
    return () => {
      entry.followers.delete(follower);
      if (entry.followers.size === 0 && followed.get(key) === entry) followed.delete(key);
    };
  };

  const moved: ResponseFeed['moved'] = ({ from, cancellation, tenant, id }) =>
    new Promise((resolve, reject) => {
      if (cancellation.cancelled) return resolve('in_progress');
      const end = (then: () => void): void => {
        stop();
        stopListening();
        then();
      };
      const stop = follow(
        { tenant, id },
        {
          from,
          resolve: (status) => end(() => resolve(status)),
          reject: (error) => end(() => reject(error)),
        },
      );
      const stopListening = cancellation.onCancel(() => end(() => resolve('in_progress')));
    });

  return {
    moved,
    async ended(one) {
      while (!one.cancellation.cancelled) {
        const status = await moved({ ...one, from: Number.POSITIVE_INFINITY }).catch(() => 'in_progress');
        if (status !== 'in_progress') return;
      }
    },
  };
};
