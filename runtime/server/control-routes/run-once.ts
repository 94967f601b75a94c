import { setTimeout } from 'node:timers/promises';
import type { KeptReplies, KeptReply, RepeatedRequest } from '../../../plugins/sdk/kept-replies.ts';
import type { JsonReply, RouteReply } from '../../../plugins/sdk/route-row.ts';
import { gatewayError } from '../../../schema/errors.ts';

/** How often another process is asked for, and how long it is waited for, in milliseconds. */
const askEveryMs = 50;
const longestWaitMs = 10_000;

export interface RunOnceOptions {
  readonly kept: KeptReplies;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told why a reply could not be kept: what was asked for is done, so its caller gets the reply. */
  readonly notKept: (error: unknown) => void;
}

/** A request that may be a repetition. */
export interface Repeatable extends RepeatedRequest {
  /** Of everything that makes it the same request. */
  readonly bodyHash: string;
}

interface Running {
  readonly bodyHash: string;
  /** Undefined if it ended without a reply to keep. */
  readonly reply: Promise<KeptReply | undefined>;
}

/** Only what succeeded is kept: the rest may be asked for again. */
const isKeepable = (reply: RouteReply): reply is JsonReply =>
  !('origin' in reply) && reply.status >= 200 && reply.status < 300;

const again = ({ status, body }: KeptReply): JsonReply => ({
  status,
  headers: ['idempotent-replayed', 'true'],
  ...(body === undefined ? {} : { body }),
});

/**
 * Runs a request unless one with the same key was answered in the last 24 hours, or is running: then its reply is given
 * again. Throws the `GatewayError` `idempotency-conflict` where that was another request.
 */
export type RunOnce = (request: Repeatable, run: () => Promise<RouteReply>) => Promise<RouteReply>;

export const createRunOnce = ({ kept, now, notKept }: RunOnceOptions): RunOnce => {
  const running = new Map<string, Running>();

  const keep = async (request: Repeatable, reply: JsonReply): Promise<KeptReply> => {
    const { tenant, route, key, bodyHash } = request;
    const made: KeptReply = { bodyHash, status: reply.status, body: reply.body, keptAt: now() };
    try {
      await kept.keep({ tenant, route, key }, made);
    } catch (error) {
      notKept(error);
    }
    return made;
  };

  /** The reply of another process to the same request; undefined if it is ours to run. */
  const answered = async (request: Repeatable): Promise<KeptReply | undefined> => {
    for (let waited = 0; ; waited += askEveryMs) {
      const claim = await kept.claim({ ...request, now: now() });
      if (claim.kind === 'yours') return undefined;
      const { bodyHash } = claim.kind === 'answered' ? claim.reply : claim;
      if (bodyHash !== request.bodyHash) throw gatewayError('idempotency-conflict', {});
      if (claim.kind === 'answered') return claim.reply;
      if (waited >= longestWaitMs)
        throw gatewayError('conflict', {
          fact: 'The same request, with this idempotency-key, is still running.',
          suggestion: 'Send it again later.',
        });
      await setTimeout(askEveryMs);
    }
  };

  const release = async (request: Repeatable): Promise<void> => {
    try {
      await kept.release(request);
    } catch (error) {
      notKept(error);
    }
  };

  const lead = async (request: Repeatable, run: () => Promise<RouteReply>, done: (kept?: KeptReply) => void) => {
    let made: KeptReply | undefined;
    try {
      made = await answered(request);
      if (made !== undefined) return again(made);
      try {
        const reply = await run();
        if (isKeepable(reply)) made = await keep(request, reply);
        return reply;
      } finally {
        if (made === undefined) await release(request);
      }
    } finally {
      done(made);
    }
  };

  return async (request, run) => {
    const name = JSON.stringify([request.tenant, request.route, request.key]);
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      if (other.bodyHash !== request.bodyHash) throw gatewayError('idempotency-conflict', {});
      const reply = await other.reply;
      if (reply?.bodyHash === request.bodyHash) return again(reply);
    }
    const { promise, resolve } = Promise.withResolvers<KeptReply | undefined>();
    running.set(name, { bodyHash: request.bodyHash, reply: promise });
    return lead(request, run, (made) => {
      running.delete(name);
      resolve(made);
    });
  };
};
