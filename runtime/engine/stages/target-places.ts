import { type GatewayResponse, upstreamOutcome } from '../../../plugins/sdk/http/http.ts';
import type { Overload, PlaceOutcome, TargetPlace } from '../../../plugins/sdk/overload/overload.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import { toTimeout } from '../attempt/to-timeout.ts';
import type { TargetPlaces } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { countWait } from '../call/request-waits.ts';
import { outgoingModel } from '../call/requested-model-and-stream.ts';
import type { PreparedTarget } from '../target/prepared-target.ts';

interface PlacedLeaf {
  /** The target's id. */
  readonly id: Target['id'];
  readonly timeoutMs: ReturnType<typeof toTimeout>;
  readonly isCircuitOpen: (call: LeafCall) => boolean;
}

/** Returns where the target's connections go and whose account it uses. Several keys of one account share its places. */
const toAccount = (target: PreparedTarget): string =>
  `${target.origin}${target.basePath} ${target.pool?.keys.areSeveral === true ? target.keyFingerprint : target.fingerprint}`;

const bytesOf = ({ exchange: { request } }: LeafCall): number =>
  request.body.kind === 'bytes' ? request.body.bytes.length : 0;

/** The statuses by which a provider reports that it is overloaded. */
const refusals: ReadonlySet<number> = new Set([503, 529]);

/**
 * Reads from an answer how its target is doing. A time-out that the caller chose says nothing, because it may be arbitrarily
 * short.
 */
const toOutcome = (response: GatewayResponse, { exchange }: LeafCall): PlaceOutcome => {
  const outcome = upstreamOutcome(response);
  if (outcome === undefined) return 'neutral';
  const { origin, status, cause } = outcome;
  if (origin === 'timeout') return exchange.overrides.timeoutMs === undefined ? 'dropped' : 'neutral';
  if (origin === 'network') return cause === 'unreadable-answer' ? 'failed' : 'dropped';
  if (status < 400) return 'served';
  if (refusals.has(status)) return 'dropped';
  return status >= 500 ? 'failed' : 'neutral';
};

/** Returns the group of answers that may be compared: those of one model, with streams separate from whole answers. */
const toKind = (call: LeafCall, { body }: GatewayResponse): string => {
  const { operation, model } = call.exchange.route;
  return `${body.kind} ${operation} ${outgoingModel(call) ?? model ?? ''}`;
};

const toHundredths = (ms: number): number => Math.round(ms * 100) / 100;

/** Records how long an attempt has waited, for its event and for the log line of its request, which has the sum. */
const noteWait = (call: LeafCall, ms: number): void => {
  call.queuedMs = ms > 0 ? toHundredths(ms) : undefined;
  const { labels } = call.originalExchange;
  if (ms > 0 && labels !== undefined) labels.queuedMs = toHundredths((labels.queuedMs ?? 0) + ms);
};

/**
 * Makes each attempt hold a place at its target until its answer has ended. The time that is measured is that to the first
 * content, but the provider keeps the whole stream open. A session may last for an hour and is mostly idle, so it gives its place
 * back once it is open.
 */
export const linkPlaces = (overload: Overload, clock: Pick<Clock, 'monotonic'>): TargetPlaces => {
  const enter = (call: LeafCall, { id, timeoutMs, isCircuitOpen }: PlacedLeaf): TargetPlace | Promise<TargetPlace> => {
    const { target, leaf, run, exchange, originalExchange, cancellation } = call;
    const attemptMs = timeoutMs(exchange);
    const given = overload.enter({
      account: toAccount(target),
      target: id,
      path: leaf.path,
      attempt: call.attempts + 1,
      exchange: originalExchange,
      bytes: bytesOf(call),
      maxWaitMs: Math.min(attemptMs, run.deadline?.leftMs ?? attemptMs),
      cancellation,
      isCircuitOpen: () => isCircuitOpen(call),
    });
    return given instanceof Promise ? countWait(exchange, () => given) : given;
  };

  return {
    isBusy: () => overload.isBusy(),
    around: (attempt, { target, isCircuitOpen }) => {
      const placed = { id: target.id, timeoutMs: toTimeout(target), isCircuitOpen };
      return async (call) => {
        if (call.target.provider.inProcess !== undefined || call.cancellation.cancelled) return attempt(call);
        const entering = enter(call, placed);
        const place = entering instanceof Promise ? await entering : entering;
        noteWait(call, place.waitedMs);
        const { attempts } = call;
        const beganAt = clock.monotonic();
        let response: GatewayResponse;
        try {
          response = await attempt(call);
        } catch (error) {
          place.end();
          throw error;
        }
        if (call.attempts > attempts)
          place.answered({
            outcome: toOutcome(response, call),
            ms: clock.monotonic() - beganAt,
            kind: toKind(call, response),
          });
        const { body, toUpstream } = response;
        if (body.kind === 'stream' && toUpstream === undefined) body.onEnd(() => place.end());
        else place.end();
        return response;
      };
    },
  };
};
