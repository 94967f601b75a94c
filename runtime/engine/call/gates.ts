/**
 * The gates: the places that decide whether a request may continue. They are passed in this order:
 *
 * 1. `admission`, in `access/admission.ts`: who calls, and what its key allows. The body is received after that.
 * 2. `entryGate`: the hook `beforeRoute`, before a plan is chosen.
 * 3. `requestGate`: the limiter, once the plan is known.
 * 4. `leafGate`: the hook `admit`, for each leaf that no cache answers.
 * 5. `attemptGate`: the cost limit of the request, and the limiter, before each attempt is sent.
 *
 * The second and the fourth answer in place of what they refuse. The others refuse with a `GatewayError`.
 */

import type { LimitedRequest, Limiter, Reservation } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import { checkedResponse } from '../plugins/given-answers.ts';
import type { LinkContext } from './context.ts';
import type { LeafCall, LeafStep } from './leaf-call.ts';
import { limitedAttempt } from './limited-attempt.ts';
import { LimitedRun, type RequestGate } from './limited-run.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import type { HeldCost } from './run.ts';

export type EntryGate = (exchange: Exchange) => Promise<GatewayResponse | undefined>;

/** Returns a gate that asks plugins whether a request may enter. Undefined if no plugin taps it. */
export const entryGate = (hooks: Hooks): EntryGate | undefined =>
  hooks.beforeRoute.isUsed()
    ? async (exchange) => {
        const answer = await hooks.beforeRoute.promise(exchange);
        return answer === undefined ? undefined : checkedResponse(hooks, 'beforeRoute', answer);
      }
    : undefined;

/** Returns a gate that calls the limiter before a request is routed. The limiter's hold lasts until the answer has ended. */
export const requestGate = (hooks: Hooks, limiter: Limiter | undefined): RequestGate => {
  if (limiter === undefined) return () => undefined;
  const run = (limited: LimitedRequest | undefined, exchange: Exchange): LimitedRun | undefined =>
    limited &&
    new LimitedRun(limited, { hooks, exchange, readsModels: limiter.readsModels?.(exchange.principal) === true });
  return (exchange, { name }) => {
    if (exchange.isCounted === false) return undefined;
    const asked = limiter.admit(exchange, { name });
    return asked instanceof Promise ? asked.then((limited) => run(limited, exchange)) : run(asked, exchange);
  };
};

/** Returns a gate that asks plugins whether a leaf may be tried. Their answer, if any, replaces the leaf's. */
export const leafGate =
  (inner: LeafStep, { hooks }: LinkContext): LeafStep =>
  async (call) => {
    const answer = await hooks.admit.promise(call.leaf, call.originalExchange);
    if (answer === undefined) return inner(call);
    return { ...checkedResponse(hooks, 'admit', answer), leaf: answer.leaf ?? call.report };
  };

/** Reserves a second time. If that fails, the first reservation ends. */
const reservedBoth = async (held: Reservation, reserve: () => MaybePromise<Reservation>): Promise<Reservation> => {
  try {
    const counted = await reserve();
    return {
      settle(usage) {
        held.settle(usage);
        counted.settle(usage);
      },
      release() {
        held.release();
        counted.release();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
};

/**
 * Returns a gate that checks the cost limit and then the limiter, if there are any. Throws, or rejects with, the error of the
 * limit that is reached.
 */
export const attemptGate = (
  call: LeafCall,
  target: Target,
  outgoing: OutgoingCall,
): MaybePromise<Reservation | HeldCost | undefined> => {
  const { limited, costs } = call.run;
  if (call.cancellation.cancelled || (limited === undefined && costs === undefined)) return undefined;
  const attempt = limitedAttempt(call, target, outgoing);
  if (costs === undefined) return limited?.reserve(attempt);
  const { exchange, target: prepared } = call;
  const { id, listedAs = id } = prepared.provider;
  const held = costs.reserve(attempt, { exchange, listedAs });
  return limited === undefined ? held : thenMaybe(held, (cost) => reservedBoth(cost, () => limited.reserve(attempt)));
};
