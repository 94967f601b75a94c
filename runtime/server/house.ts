import type { GatewayResponse } from '../../plugins/sdk/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin.ts';
import type { RoutingPlan, SecretRef } from '../../schema/plan.ts';
import { createRuntime, type Gateway } from '../gateway.ts';
import { createGenerations, type Generations } from '../generations/generations.ts';
import type { PlanSource } from '../generations/plan-source.ts';
import type { LinkPorts } from '../link/link.ts';
import { Admission } from './admission.ts';
import { type CompileCaller, createCallerPlans } from './caller-plans.ts';
import { chosenPlan } from './chosen-plan.ts';
import { door } from './door.ts';
import type { HttpExchange } from './http-exchange.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { requestPlan } from './request-plan.ts';
import { toServedPlan } from './served-plan.ts';
import type { Identify } from './service-keys.ts';

export interface HouseOptions {
  /** The gateway's own and others, in the order in which they tap. */
  readonly plugins: readonly Plugin[];
  readonly ports: LinkPorts;
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** Where saved plans come from. */
  readonly source?: PlanSource;
  /** The compiler for callers' configs, loaded on first need. */
  readonly loadCompiler: () => Promise<CompileCaller>;
  readonly defaultConfig?: string;
  /** Hosts that may be called although they are not public. */
  readonly trustedHosts: readonly string[];
  readonly limits?: Partial<Limits>;
  /** With service keys: who holds one. */
  readonly identify?: Identify;
  /** Without: whether anybody may call, by any name. */
  readonly open: boolean;
}

/** A gateway with its plans: everything but the wire that requests come in on. */
export interface House {
  readonly gateway: Gateway;
  readonly generations: Generations;
  readonly admission: Admission;
  readonly limits: Limits;
  /** Only callers from this machine are answered. */
  readonly guarded: boolean;
  /** Never rejects. */
  readonly handle: (exchange: HttpExchange) => Promise<GatewayResponse>;
}

/** Joins plugins, ports and plans. The generations are empty until they are first reloaded. */
export const createHouse = (options: HouseOptions): House => {
  const { plugins, ports, secrets, source, loadCompiler, identify, open } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const admission = new Admission(limits.bodiesBytes);
  const bounds = { admission, bodyBytes: limits.bodyBytes };
  const gateway = createRuntime({
    plugins: [...plugins, door({ ...bounds, open, ...(identify === undefined ? {} : { identify }) })],
    ports: { ...ports, bounds: limits },
  });
  const link = (plan: RoutingPlan) => gateway.link({ plan, secrets });
  const plan = chosenPlan({
    ...bounds,
    callerPlans: createCallerPlans({
      load: loadCompiler,
      link: (callers) => gateway.link({ plan: callers, secrets, callerPlan: true }),
      check: (id) => gateway.hooks.check.get(id.toLowerCase())?.call(),
      trustedHosts: options.trustedHosts,
    }),
    requestPlan: toServedPlan(gateway.link({ plan: requestPlan, secrets })),
    configBytes: limits.configBytes,
    trustedHosts: options.trustedHosts,
    dialect: (id) => gateway.hooks.dialect.get(id)?.call(),
    ...(options.defaultConfig === undefined ? {} : { defaultConfig: options.defaultConfig }),
  });
  return {
    gateway,
    generations: createGenerations({ link, ...(source === undefined ? {} : { source }) }),
    admission,
    limits,
    guarded: identify === undefined && !open,
    handle: (exchange) => gateway.handle(exchange, plan),
  };
};
