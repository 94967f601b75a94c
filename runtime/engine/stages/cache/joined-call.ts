import type { CacheKey } from '../../../../plugins/sdk/cache/cache.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { Cancellation, GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { MaybePromise } from '../../../async/maybe-promise.ts';
import { cancelledResponse } from '../../attempt/answer/failure-response.ts';
import { whileRunning } from '../../attempt/send/while-running.ts';
import type { toTimeout } from '../../attempt/to-timeout.ts';
import { AttemptScope } from '../../call/attempt-scope.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { countWait } from '../../call/request-waits.ts';
import { Run } from '../../call/run.ts';
import { discard } from '../../error-responses/discard.ts';
import type { SharedCall, StoredAnswer } from '../../plugin-caches/shared-calls.ts';
import type { Found, LeafCache } from './leaf-cache.ts';

/** A call with a cancellation other than its client's. */
interface DetachedCall {
  readonly call: LeafCall;
  /** Copies what was found out back to the client's call. */
  attach(): void;
}

/** Returns the same call, except that neither its client's disconnecting nor its deadline ends it. */
const detachedCall = (call: LeafCall, cancellation: Cancellation): DetachedCall => {
  // Both have the original as their prototype, so that they have everything that other stages know of the request.
  const exchange: Exchange = Object.create(call.exchange, { cancellation: { value: cancellation } });
  const run = new Run(exchange, call.run.dialect, call.run.limited, call.run.namedItems);
  run.costs = call.run.costs;
  const detached: LeafCall = Object.create(call, {
    exchange: { value: exchange },
    run: { value: run },
    originalExchange: { value: call.originalExchange },
  });
  // What stages write is on the detached call only, and is enumerable. What is defined above is not.
  return { call: detached, attach: () => void Object.assign(call, detached) };
};

export interface JoinedOptions {
  readonly cache: LeafCache;
  readonly inner: LeafStep;
  /** Answers a request by itself, from the cache or with its own call. */
  readonly alone: (call: LeafCall, key: CacheKey) => Promise<GatewayResponse>;
  readonly context: Pick<LinkContext, 'deadlines'>;
  readonly toTimeout: ReturnType<typeof toTimeout>;
}

/**
 * How many failing calls of others a request waits for. After that it makes its own call, so that no queue grows behind failures.
 */
const maxWaits = 2;

/** The outcome of waiting for other processes. */
type Turn =
  | { readonly kind: 'mine'; readonly release: () => void }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer; readonly response: GatewayResponse }
  | { readonly kind: 'over'; readonly response: GatewayResponse };

/** The first of several equal requests, and what the cache returned for it. */
interface Lead {
  readonly shared: SharedCall;
  readonly reading: MaybePromise<Found>;
}

interface Led extends Lead {
  /** Called when the first caller has its answer. */
  leave(): void;
}

/**
 * Answers whole (not streamed) requests. Equal requests at the same time share one call. Each waits within its own time-out and
 * deadline. The call continues for as long as anyone waits. If it has no answer for others, the next of them makes a call.
 */
export const joinedCall = ({ cache, inner, alone, context, toTimeout }: JoinedOptions) => {
  const { calls, cache: store } = cache.shared;
  const waitScope = (call: LeafCall, cancellation = call.cancellation): AttemptScope =>
    new AttemptScope(cancellation, { deadlines: context.deadlines, timeoutMs: toTimeout(call.exchange), attempt: 0 });

  /** Waits until this process may make the call, or another one has made it. */
  const takeTurn = async (call: LeafCall, key: CacheKey, shared: SharedCall): Promise<Turn> => {
    let scope: AttemptScope | undefined;
    try {
      for (let waits = 0; ; waits += 1) {
        const claim = await store.claim(key);
        if (claim.lead) return { kind: 'mine', release: () => claim.release() };
        if (waits === maxWaits) return { kind: 'mine', release: () => {} };
        scope ??= waitScope(call, shared.cancellation);
        const within = scope;
        const entry = await countWait(call.exchange, () => store.awaitEntry(claim, within));
        const answer = entry === undefined ? undefined : { entry, similar: false };
        const response = cache.fresh(call, answer);
        if (answer !== undefined && response !== undefined) return { kind: 'answered', answer, response };
        if (scope.cancelled) return { kind: 'over', response: cancelledResponse(call, scope) };
      }
    } finally {
      scope?.release();
    }
  };

  /** Makes the call. A stream is stored at its end; audio, for example, is a stream without being requested as one. */
  const called = async (call: LeafCall, key: CacheKey, shared: SharedCall): Promise<GatewayResponse> => {
    const { call: detached, attach } = detachedCall(call, shared.cancellation);
    const { limited } = call.run;
    limited?.hold();
    try {
      const response = await inner(detached);
      return response.body.kind === 'stream' ? cache.save(detached, key, response) : response;
    } finally {
      limited?.leave();
      attach();
    }
  };

  const lead = async (call: LeafCall, key: CacheKey, { shared, reading }: Lead): Promise<GatewayResponse> => {
    const found = await reading;
    const { answer } = found;
    const hit = cache.fresh(call, answer);
    if (hit !== undefined) {
      shared.settle(answer);
      return hit;
    }
    cache.missed(call, found);
    const turn = await takeTurn(call, key, shared);
    if (turn.kind === 'answered') shared.settle(turn.answer);
    if (turn.kind !== 'mine') return cache.rescued(call, turn.response, answer);
    let isWriting = false;
    try {
      const response = await called(call, key, shared);
      const entry = cache.findEntry(call, response);
      if (entry !== undefined) {
        isWriting = true;
        shared.settle({ entry, similar: false });
        cache.write(call, key, { entry, done: turn.release });
      }
      return cache.rescued(call, response, answer);
    } finally {
      if (!isWriting) turn.release();
    }
  };

  const ledToEnd = async (call: LeafCall, key: CacheKey, { shared, reading, leave }: Led): Promise<GatewayResponse> => {
    let isStreaming = false;
    try {
      const response = await lead(call, key, { shared, reading });
      if (response.body.kind === 'stream') {
        isStreaming = true;
        response.body.onEnd(leave);
      }
      return response;
    } finally {
      shared.settle(undefined);
      if (!isStreaming) leave();
    }
  };

  /** Leads a call. The deadline of the first caller ends only its own wait if others still wait for the call. */
  const leadAlone = async (call: LeafCall, key: CacheKey, reading: MaybePromise<Found>): Promise<GatewayResponse> => {
    const shared = calls.open(key.id);
    const leave = shared.join(call.cancellation);
    const leading = ledToEnd(call, key, { shared, reading, leave });
    const { deadline } = call.run;
    if (deadline === undefined) return leading;
    const response = await whileRunning(deadline, leading);
    if (response !== undefined) return response;
    if (shared.cancellation.cancelled) return leading;
    leading.then(discard, () => {});
    return call.ended();
  };

  /** Starts a call, unless the cache has the answer already. */
  const led = (call: LeafCall, key: CacheKey): MaybePromise<GatewayResponse> => {
    const reading = cache.read(key);
    const hit = reading instanceof Promise ? undefined : cache.fresh(call, reading.answer);
    return hit ?? leadAlone(call, key, reading);
  };

  /** Answers a time-out while waiting for another request's call like the time-out of an own call. */
  const waitedInVain = async (call: LeafCall, key: CacheKey, scope: AttemptScope): Promise<GatewayResponse> => {
    const response = cancelledResponse(call, scope);
    if (scope.reason !== 'timeout') return response;
    const { answer } = await cache.read(key);
    return cache.rescued(call, response, answer);
  };

  const joined = async (call: LeafCall, key: CacheKey): Promise<GatewayResponse> => {
    let scope: AttemptScope | undefined;
    try {
      for (let waits = 0; waits < maxWaits; waits += 1) {
        const shared = calls.get(key.id);
        if (shared === undefined) return await led(call, key);
        call.cache = 'MISS';
        scope ??= waitScope(call);
        const leave = shared.join(scope);
        const within = scope;
        const answer = await countWait(call.exchange, () => whileRunning(within, shared.answer)).finally(leave);
        const response = cache.fresh(call, answer);
        if (response !== undefined) return response;
        if (scope.cancelled) return await waitedInVain(call, key, scope);
      }
    } finally {
      scope?.release();
    }
    return alone(call, key);
  };

  return (call: LeafCall, key: CacheKey): MaybePromise<GatewayResponse> =>
    calls.get(key.id) === undefined ? led(call, key) : joined(call, key);
};
