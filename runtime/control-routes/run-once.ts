import { setTimeout } from 'node:timers/promises';
import type {
  IdempotencyStore,
  RepeatedRequest,
  StoredReply,
} from '../../plugins/sdk/control-plane/idempotency-store.ts';
import { renewClaim } from '../../plugins/sdk/control-plane/renew-claim.ts';
import type { JsonReply, Once, RouteReply } from '../../plugins/sdk/route/route-row.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import { isSuccess } from '../../schema/http/status.ts';

/** How often to check for another process's reply, and how long to wait for it, in milliseconds. */
const askEveryMs = 50;
const longestWaitMs = 10_000;

export interface RunOnceOptions {
  readonly kept: IdempotencyStore;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Notified of why a reply could not be kept. The request has been executed, so its caller receives the reply. */
  readonly notKept: (error: unknown) => void;
}

/** A request that may be a repetition. */
export interface Repeatable extends RepeatedRequest {
  /** The hash of everything that makes it the same request. */
  readonly bodyHash: string;
}

interface Running {
  readonly bodyHash: string;
  /** Resolves to undefined if the request ended without a reply to keep. */
  readonly reply: Promise<StoredReply | undefined>;
}

/** The part of a reply that is kept. */
type KeptReply = Pick<StoredReply, 'status' | 'body' | 'headers'>;

/** The outcome of a request. */
export interface Ran {
  readonly reply: RouteReply;
  /** The reply to a repetition. Undefined if the request may be sent again. Never rejects. */
  readonly kept: Promise<KeptReply | undefined>;
}

/** How to run a request, and how to answer it if it was already run. */
export interface Runs {
  run(): Promise<Ran>;
  again(kept: StoredReply): RouteReply | Promise<RouteReply>;
}

/** Only successful replies are kept. Other requests may be sent again. */
const isJsonSuccess = (reply: RouteReply): reply is JsonReply => !('origin' in reply) && isSuccess(reply.status);

/** For a request with a JSON reply, which is also the reply to each repetition. */
export const jsonRuns = (run: () => Promise<RouteReply>): Runs => ({
  async run() {
    const reply = await run();
    if (!isJsonSuccess(reply)) return { reply, kept: Promise.resolve(undefined) };
    const { status, body, headers } = reply;
    return { reply, kept: Promise.resolve({ status, body, ...(headers && { headers }) }) };
  },
  again: ({ status, body, headers }) => ({ status, ...(body !== undefined && { body }), ...(headers && { headers }) }),
});

/** For a request whose handler determines what is kept of its reply, and how a repetition is answered. */
export const referenceRuns = (...[run, again]: Parameters<Once>): Runs => ({
  async run() {
    const { reply, kept } = await run();
    return { reply, kept: kept.then((body) => (body === undefined ? undefined : { status: 200, body })) };
  },
  again: ({ body }) => again(body ?? null),
});

const marked = (reply: RouteReply): RouteReply => ({
  ...reply,
  headers: [...(reply.headers ?? []), 'idempotent-replayed', 'true'],
});

/**
 * Runs a request unless one with the same key was answered in the last 24 hours, or is running: then returns its reply again.
 * Throws the `GatewayError` `idempotency-conflict` if that was another request.
 */
export type RunOnce = (request: Repeatable, runs: Runs) => Promise<RouteReply>;

/** The answer to a request that was executed, at least in part, by a process that ended before it stored the reply. */
const lostReply = {
  fact: 'A request with this idempotency-key was executed, but the gateway stopped before it could store the reply.',
  suggestion: 'Look up whether everything that it was to change has changed. If not, send it again with a new key.',
};

const isStream = (reply: RouteReply): boolean => 'origin' in reply && reply.body.kind === 'stream';

export const createRunOnce = ({ kept, now, notKept }: RunOnceOptions): RunOnce => {
  const running = new Map<string, Running>();

  const keep = async (request: Repeatable, reply: KeptReply): Promise<StoredReply> => {
    const { tenant, route, key, bodyHash } = request;
    const made: StoredReply = { ...reply, bodyHash, keptAt: now() };
    try {
      await kept.keep({ tenant, route, key }, made);
    } catch (error) {
      notKept(error);
    }
    return made;
  };

  /** Returns the reply of another process to the same request. Undefined if this process is to run it. */
  const answered = async (request: Repeatable): Promise<StoredReply | undefined> => {
    for (let waited = 0; ; waited += askEveryMs) {
      const claim = await kept.claim({ ...request, now: now() });
      if (claim.kind === 'yours') return undefined;
      const { bodyHash } = claim.kind === 'answered' ? claim.reply : claim;
      if (bodyHash !== request.bodyHash) throw gatewayError('idempotency-conflict', {});
      if (claim.kind === 'answered') return claim.reply;
      if (claim.kind === 'changed') throw gatewayError('conflict', lostReply);
      if (waited >= longestWaitMs)
        throw gatewayError('conflict', {
          fact: 'The same request, with this idempotency-key, is still running.',
          suggestion: 'Send it again later.',
        });
      await setTimeout(askEveryMs);
    }
  };

  const release = async (request: Repeatable): Promise<undefined> => {
    try {
      await kept.release(request);
    } catch (error) {
      notKept(error);
    }
  };

  /** Runs a request that is claimed. `made` is notified of its end, which for a stream is after the reply. */
  const lead = async (
    request: Repeatable,
    run: Runs['run'],
    made: (kept?: StoredReply) => void,
  ): Promise<RouteReply> => {
    const stopRenewing = renewClaim(kept, { claim: request, now });
    let ran: Ran | undefined;
    try {
      ran = await (kept.during?.(request, run) ?? run());
      return ran.reply;
    } finally {
      const settled = (ran?.kept ?? Promise.resolve(undefined)).then((reply) => {
        stopRenewing();
        return reply === undefined ? release(request) : keep(request, reply);
      });
      const over = settled.then(made);
      if (ran === undefined || !isStream(ran.reply)) await over;
    }
  };

  const first = async (request: Repeatable, { run, again }: Runs, made: (kept?: StoredReply) => void) => {
    let before: StoredReply | undefined;
    try {
      before = await answered(request);
    } catch (error) {
      made();
      throw error;
    }
    if (before === undefined) return lead(request, run, made);
    made(before);
    return marked(await again(before));
  };

  return async (request, runs) => {
    const name = JSON.stringify([request.tenant, request.route, request.key]);
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      if (other.bodyHash !== request.bodyHash) throw gatewayError('idempotency-conflict', {});
      const reply = await other.reply;
      if (reply?.bodyHash === request.bodyHash) return marked(await runs.again(reply));
    }
    const { promise, resolve } = Promise.withResolvers<StoredReply | undefined>();
    running.set(name, { bodyHash: request.bodyHash, reply: promise });
    return first(request, runs, (made) => {
      running.delete(name);
      resolve(made);
    });
  };
};
