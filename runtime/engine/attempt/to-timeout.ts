import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import { defaultTimeoutMs } from '../../../schema/plan/schedule.ts';

/** The time-out of one attempt, in milliseconds: the caller's, else the target's, else the default. */
export const toTimeout = (target: Target): ((exchange: Exchange) => number) => {
  const ownTimeoutMs = target.timeoutMs ?? defaultTimeoutMs;
  return ({ overrides }) => overrides.timeoutMs ?? ownTimeoutMs;
};
