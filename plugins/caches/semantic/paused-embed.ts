import type { Embed } from '../../sdk/cache/cache.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { FailurePauses } from '../../sdk/time/failure-pauses.ts';

const failures = 5;
const pauseMs = 10_000;

/**
 * Wraps an embedder. After five consecutive failures of a tenant, that tenant's calls reject immediately for ten seconds. A call
 * that ends because its client disconnects is not a failure.
 */
export const pausedEmbed = (embed: Embed, timers: Pick<Timers, 'wall'>): Embed => {
  const pauses = new FailurePauses({ failures, pauseMs, now: () => timers.wall() });
  return async (request) => {
    const { tenant, cancellation } = request;
    if (!pauses.enter(tenant)) throw new Error('No vector is requested, because the last requests failed.');
    try {
      const vector = await embed(request);
      pauses.succeeded(tenant);
      return vector;
    } catch (error) {
      if (cancellation?.cancelled !== true) pauses.failed(tenant);
      throw error;
    }
  };
};
