import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { ServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { callerHostCheck } from './caller-host-check.ts';
import type { RefusedPlan } from './caller-plans.ts';
import { choosePlan, type PlanChoice } from './choose-plan.ts';
import type { BodyBounds } from './collect-body.ts';
import type { HttpExchange } from './http-exchange.ts';
import { listModels } from './list-models.ts';
import { receiveReadable } from './receive-body.ts';
import { refusedConfig } from './refused-config.ts';
import { modelsRoute } from './routes.ts';

export interface PlanChooserOptions extends Omit<PlanChoice, 'receive'>, BodyBounds {
  /** Hosts that callers may choose although they are not public. */
  readonly trustedHosts: readonly string[];
  readonly dialect: (id: string) => Dialect | undefined;
}

/**
 * Finds the plan that an admitted request asks for, and notes it in the exchange. A plan that is asked for its models
 * answers that itself, where its targets name any. A body that streams through is taken
 * in whole where the plan reads it. Throws, or rejects with, the `GatewayError` that says why there is none.
 */
export const planChooser = (
  options: PlanChooserOptions,
): ((exchange: HttpExchange) => LinkedPlan | Promise<LinkedPlan>) => {
  const checkCallerHost = callerHostCheck(options.trustedHosts);
  const receive = (exchange: HttpExchange): Promise<void> | undefined => receiveReadable(exchange, options);
  const choice: PlanChoice = { ...options, receive };

  const take = (exchange: HttpExchange, chosen: ServedPlan | RefusedPlan): LinkedPlan | Promise<LinkedPlan> => {
    if (!('linked' in chosen)) throw refusedConfig(exchange, chosen);
    exchange.plan = chosen;
    exchange.secrets = chosen.secrets;
    const { linked } = chosen;
    const listed = exchange.route === modelsRoute ? listModels(exchange, linked.plan, options.dialect) : undefined;
    if (listed !== undefined) return { plan: linked.plan, execute: async () => listed };
    const reading = linked.plan.readsParams ? receive(exchange) : undefined;
    return reading === undefined ? linked : reading.then(() => linked);
  };

  return (exchange) => {
    const { customHost } = exchange.overrides;
    if (customHost !== undefined) checkCallerHost(customHost);
    const plan = choosePlan(exchange, choice);
    return plan instanceof Promise ? plan.then((chosen) => take(exchange, chosen)) : take(exchange, plan);
  };
};
