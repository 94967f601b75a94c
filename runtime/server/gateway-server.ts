import type { Dialect } from '../../plugins/sdk/dialect.ts';
import type { Exchange } from '../../plugins/sdk/exchange.ts';
import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import type { Generations } from '../generations/generations.ts';
import type { LinkedPlan } from '../link/link.ts';
import type { Clock } from '../ports/clock.ts';
import type { Admission } from './admission.ts';
import type { CallerPlans } from './caller-plans.ts';
import { chosenPlan } from './chosen-plan.ts';
import type { Limits } from './limits.ts';
import { type Listening, listen } from './listen.ts';
import { requestListener } from './request-listener.ts';
import { Seeds } from './seeds.ts';
import type { ServedPlan } from './served-plan.ts';
import { site } from './site.ts';

export interface GatewayServerOptions {
  readonly host: string;
  readonly port: number;
  /** Runs one exchange through hooks and a plan; never rejects. */
  readonly handle: (exchange: Exchange, plan: LinkedPlan) => Promise<GatewayResponse>;
  readonly dialect: (id: string) => Dialect | undefined;
  readonly generations: Generations;
  readonly callerPlans: CallerPlans;
  readonly requestPlan: ServedPlan;
  readonly defaultConfig?: string;
  readonly trustedHosts: readonly string[];
  readonly limits: Limits;
  /** The same that the door takes bodies in by. */
  readonly admission: Admission;
  /** Only callers from this machine are answered. */
  readonly guarded: boolean;
  readonly clock: Clock;
}

/** Joins the server's parts, and listens. Rejects as `listen` does. */
export const startGatewayServer = async (options: GatewayServerOptions): Promise<Listening> => {
  const { host, port, handle, generations, admission, limits, guarded, clock } = options;
  let draining = false;
  const isDraining = (): boolean => draining;
  const plan = chosenPlan({ ...options, configBytes: limits.configBytes, bodyBytes: limits.bodyBytes });
  const listener = requestListener({
    handle: (exchange) => handle(exchange, plan),
    site: site({ status: () => generations.status(), draining: isDraining, guarded }),
    generations,
    admission,
    clock,
    seeds: new Seeds(),
    draining: isDraining,
  });
  const listening = await listen({ host, port, listener, headerBytes: limits.headerBytes, clock });
  return {
    ...listening,
    drain: (ms) => {
      draining = true;
      return listening.drain(ms);
    },
  };
};
