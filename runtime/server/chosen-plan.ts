import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import { gatewayError } from '../../schema/errors.ts';
import type { ServedPlan } from '../generations/served-plan.ts';
import type { LinkedPlan } from '../link/link.ts';
import { callerHostCheck } from './caller-host-check.ts';
import type { RefusedPlan } from './caller-plans.ts';
import { choosePlan, type PlanChoice } from './choose-plan.ts';
import type { BodyBounds } from './collect-body.ts';
import { HttpExchange } from './http-exchange.ts';
import { receiveForPlan } from './receive-for-plan.ts';
import { refusedConfig } from './refused-config.ts';
import { requestPlan } from './request-plan.ts';

export interface ChosenPlanOptions extends PlanChoice, BodyBounds {
  /** Hosts that callers may choose although they are not public. */
  readonly trustedHosts: readonly string[];
  readonly dialect: (id: string) => Dialect | undefined;
}

/**
 * The plan of every request: it finds out which plan its caller wants and hands over to that one. So the choice is made
 * where all else is: after the caller is known, and with its failures caught in the gateway's one place.
 */
export const chosenPlan = (options: ChosenPlanOptions): LinkedPlan => {
  const checkCallerHost = callerHostCheck(options.trustedHosts);

  const run = (exchange: HttpExchange, plan: ServedPlan): Promise<GatewayResponse> => {
    exchange.plan = plan;
    exchange.secrets = plan.secrets;
    const { linked } = plan;
    const { connection } = exchange;
    const receiving =
      connection === undefined ? undefined : receiveForPlan(exchange, connection, { plan, bounds: options });
    return receiving === undefined ? linked.execute(exchange) : receiving.then(() => linked.execute(exchange));
  };

  const refuse = ({ caller, route }: HttpExchange, { refused }: RefusedPlan): GatewayResponse => {
    // The config was made here, of one header: it is that which is wrong.
    if (caller.config === undefined) {
      const header = caller.virtualKey === undefined ? 'x-gw-provider' : 'x-gw-virtual-key';
      throw gatewayError('invalid-header', { header, reason: refused[0]?.message ?? 'it gives no plan.' });
    }
    return refusedConfig(refused, route.dialect === undefined ? undefined : options.dialect(route.dialect));
  };

  return {
    plan: requestPlan,
    async execute(exchange: Exchange): Promise<GatewayResponse> {
      if (!(exchange instanceof HttpExchange)) return options.requestPlan.linked.execute(exchange);
      const { customHost } = exchange.overrides;
      if (customHost !== undefined) checkCallerHost(customHost);
      const choice = choosePlan(exchange, options);
      const chosen = choice instanceof Promise ? await choice : choice;
      return 'linked' in chosen ? run(exchange, chosen) : refuse(exchange, chosen);
    },
  };
};
