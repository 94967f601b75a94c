import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../../schema/plan/schedule.ts';

/** Returns the time-out of one attempt, in milliseconds: the caller's, otherwise the target's, otherwise the default. */
export const toTimeout = (target: Target): ((exchange: Exchange) => number) => {
  const ownTimeoutMs = target.timeoutMs ?? defaultTimeoutMs;
  return ({ overrides }) => overrides.timeoutMs ?? ownTimeoutMs;
};
