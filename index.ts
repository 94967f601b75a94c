/** The library: a compiled plan as a gateway inside a program. It loads no compiler. */
import { builtinPlugins } from './plugins/builtin.ts';
import type { Plugin } from './plugins/sdk/plugin/plugin.ts';
import type { ServiceKey } from './runtime/access/service-keys.ts';
import { EmbeddedGateway, type Gateway } from './runtime/embedded/embedded-gateway.ts';
import type { CacheSettings } from './runtime/engine/plugin-caches/caches.ts';
import type { ModelPrice, OwnPrices } from './runtime/usage/prices/own-prices.ts';
import { loadPlan } from './schema/plan/load-plan.ts';
import type { RoutingPlan } from './schema/plan/plan.ts';
import type { Plan, PlanNames } from './schema/plan/typed-plan.ts';

export type { Gateway, GatewayAddress, ListenSettings } from './runtime/embedded/embedded-gateway.ts';
export { LinkError } from './runtime/engine/link-error.ts';
export { PluginError } from './runtime/engine/plugins/plugin-error.ts';
export type { GatewayFetch } from './runtime/server/fetch/gateway-fetch.ts';
export type { GatewayHeaders } from './schema/http/gateway-headers.ts';
export { loadPlan } from './schema/plan/load-plan.ts';
export type { Bounds, RoutingPlan, Target } from './schema/plan/plan.ts';
export { PlanLoadError } from './schema/plan/plan-load-error.ts';
export type { NamesOf, Plan, PlanNames } from './schema/plan/typed-plan.ts';
export type { TrailEvent } from './schema/trail/trail.ts';
export type { UsageRecord } from './schema/usage/usage-record.ts';
export type { CacheSettings, ModelPrice, OwnPrices, Plugin, ServiceKey };
export { builtinPlugins };

/** Secrets by the name of their environment variable, as `process.env` has them. */
export interface SecretsByName {
  readonly [name: string]: string | undefined;
}

export interface GatewaySettings {
  /** Plugins beside the built-in ones, in the order in which they tap. */
  readonly plugins?: readonly Plugin[];
  /** Private hosts that may be called: `localhost`, `10.0.0.7:8080`, `*.internal`. */
  readonly trustedHosts?: readonly string[];
  /** The keys of those that may call. Without any, `fetch` answers its program, and `listen` its own machine. */
  readonly serviceKeys?: readonly ServiceKey[];
  /** Prices of your own, in US dollars for a million tokens. Of other models, public list prices are used. */
  readonly prices?: OwnPrices;
  /** How answers are cached if the plan says so; in memory if absent. `fetch` and `listen` share only a Redis. */
  readonly cache?: CacheSettings;
  /**
   * The HTTP proxy that connections to other machines go by: its URL, with a password if it has one, or `environment` for what
   * HTTPS_PROXY, HTTP_PROXY and ALL_PROXY say. Hosts in NO_PROXY, and loopback addresses, are connected to directly.
   */
  readonly proxy?: string;
  /** Certificates of authorities, in PEM, that are trusted beside those that Node trusts. */
  readonly trustedAuthorities?: string;
}

/**
 * An environment is taken as it is, and what it lacks is named when the gateway is made. An object that is written out
 * must have the plan's secrets and no others, so that a renamed one does not compile.
 */
export type SecretsFor<Needed, Given> = string extends keyof Given
  ? unknown
  : object extends Needed
    ? unknown
    : Needed & { readonly [Extra in Exclude<keyof Given, keyof Needed>]: never };

/** A plan that needs no secret. */
type PlainPlan = Plan<PlanNames & { readonly secrets: Readonly<Record<string, never>> }>;

export interface CreateGateway {
  (options: GatewaySettings & { readonly plan: PlainPlan; readonly secrets?: SecretsByName }): Gateway;
  <Names extends PlanNames, Given extends SecretsByName>(
    options: GatewaySettings & {
      readonly plan: Plan<Names>;
      readonly secrets: Given & SecretsFor<Names['secrets'], Given>;
    },
  ): Gateway;
}

/**
 * Runs a compiled plan. Throws a `PlanLoadError` for a plan that this build cannot run, and a `LinkError` that names
 * every secret and plugin that is missing. Throws a `PluginError` for a plugin that cannot be used, and an `Error` for
 * trusted hosts, a proxy or authorities that cannot.
 */
export const createGateway: CreateGateway = ({
  plan,
  secrets = {},
  plugins = [],
  trustedHosts = [],
  serviceKeys = [],
  prices = {},
  cache = {},
  proxy,
  trustedAuthorities,
}: GatewaySettings & { readonly plan: RoutingPlan; readonly secrets?: SecretsByName }): Gateway =>
  new EmbeddedGateway(loadPlan(plan), {
    plugins: [...builtinPlugins, ...plugins],
    secrets,
    trustedHosts,
    serviceKeys,
    prices,
    cache,
    egress: { proxy, trustedAuthorities },
  });
