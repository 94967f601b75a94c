import type { Embed } from '../../sdk/cache.ts';
import { FailurePause } from '../../sdk/failure-pause.ts';
import type { Timers } from '../../sdk/in-process.ts';

const failures = 5;
const pauseMs = 10_000;

/** The same embedder, which is not asked for ten seconds after five failures in a row: it rejects at once. */
export const pausedEmbed = (embed: Embed, timers: Pick<Timers, 'wall'>): Embed => {
  const pause = new FailurePause({ failures, pauseMs, now: () => timers.wall() });
  return async (request) => {
    if (!pause.enter()) throw new Error('No vector is asked for, because the last requests for one have failed.');
    try {
      const vector = await embed(request);
      pause.succeeded();
      return vector;
    } catch (error) {
      pause.failed();
      throw error;
    }
  };
};
