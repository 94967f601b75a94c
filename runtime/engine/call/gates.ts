/**
 * The gates: where a request is asked whether it may go on. They are passed in this order:
 *
 * 1. `admission`, in `access/admission.ts`: who calls, and what its key allows. Its body is received after that.
 * 2. `entryGate`: the hook `beforeRoute`, before a plan is chosen.
 * 3. `requestGate`: the limiter, when the plan is known.
 * 4. `leafGate`: the hook `admit`, for each leaf that no cache answers.
 * 5. `attemptGate`: the bound of the request's cost, and the limiter, before each attempt is sent.
 *
 * The second and the fourth answer in place of what they refuse; the others refuse by a `GatewayError`.
 */

import type { LimitedRequest, Limiter, Reservation } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Hooks } from '../../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { type Soon, whenSoon } from '../../async/soon.ts';
import { givenResponse } from '../plugins/given-answers.ts';
import type { LinkContext } from './context.ts';
import type { LeafCall, LeafStep } from './leaf-call.ts';
import { limitedAttempt } from './limited-attempt.ts';
import { LimitedRun, type RequestGate } from './limited-run.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import type { HeldCost } from './run.ts';

export type EntryGate = (exchange: Exchange) => Promise<GatewayResponse | undefined>;

/** Asks plugins whether a request may enter; undefined where none asks to be. */
export const entryGate = (hooks: Hooks): EntryGate | undefined =>
  hooks.beforeRoute.isUsed()
    ? async (exchange) => {
        const answer = await hooks.beforeRoute.promise(exchange);
        return answer === undefined ? undefined : givenResponse(hooks, 'beforeRoute', answer);
      }
    : undefined;

/** Asks the limiter whether a request may be routed. It is then held until its answer has ended. */
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

/** Asks plugins whether a leaf may be tried; their answer, if any, replaces the leaf's. */
export const leafGate =
  (inner: LeafStep, { hooks }: LinkContext): LeafStep =>
  async (call) => {
    const answer = await hooks.admit.promise(call.leaf, call.originalExchange);
    if (answer === undefined) return inner(call);
    return { ...givenResponse(hooks, 'admit', answer), leaf: answer.leaf ?? call.report };
  };

/** Reserves a second time; without that, the first ends. */
const reservedBoth = async (held: Reservation, reserve: () => Soon<Reservation>): Promise<Reservation> => {
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

/** Asks the bound of the cost, and then the limiter, if there are any. Throws, or rejects with, the error of what is reached. */
export const attemptGate = (
  call: LeafCall,
  target: Target,
  outgoing: OutgoingCall,
): Soon<Reservation | HeldCost | undefined> => {
  const { limited, costs } = call.run;
  if (call.cancellation.cancelled || (limited === undefined && costs === undefined)) return undefined;
  const attempt = limitedAttempt(call, target, outgoing);
  if (costs === undefined) return limited?.reserve(attempt);
  const { exchange, target: prepared } = call;
  const { id, listedAs = id } = prepared.provider;
  const held = costs.reserve(attempt, { exchange, listedAs });
  return limited === undefined ? held : whenSoon(held, (cost) => reservedBoth(cost, () => limited.reserve(attempt)));
};
