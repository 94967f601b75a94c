import type { ServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { callerHostCheck } from './caller-host-check.ts';
import type { RefusedPlan } from './caller-plans.ts';
import { choosePlan, type PlanChoice } from './choose-plan.ts';
import type { BodyBounds } from './collect-body.ts';
import type { HttpExchange } from './http-exchange.ts';
import { receiveReadable } from './receive-body.ts';
import { refusedConfig } from './refused-config.ts';

export interface PlanChooserOptions extends PlanChoice, BodyBounds {
  /** Hosts that callers may choose although they are not public. */
  readonly trustedHosts: readonly string[];
}

/**
 * Finds the plan that an admitted request asks for, and notes it in the exchange. A body that streams through is taken
 * in whole where the plan reads it. Throws, or rejects with, the `GatewayError` that says why there is none.
 */
export const planChooser = (
  options: PlanChooserOptions,
): ((exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>) => {
  const checkCallerHost = callerHostCheck(options.trustedHosts);

  const take = (exchange: HttpExchange, chosen: ServedPlan | RefusedPlan): LinkedPlan | Promise<LinkedPlan> => {
    if (!('linked' in chosen)) throw refusedConfig(exchange, chosen);
    exchange.plan = chosen;
    exchange.secrets = chosen.secrets;
    const { linked } = chosen;
    const reading = linked.plan.readsParams ? receiveReadable(exchange, options) : undefined;
    return reading === undefined ? linked : reading.then(() => linked);
  };

  return (exchange) => {
    const { customHost } = exchange.overrides;
    if (customHost !== undefined) checkCallerHost(customHost);
    const choice = choosePlan(exchange, options);
    return choice instanceof Promise ? choice.then((chosen) => take(exchange, chosen)) : take(exchange, choice);
  };
};
