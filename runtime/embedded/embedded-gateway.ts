import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { within } from '../../plugins/sdk/time/within.ts';
import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { isLoopback } from '../../schema/http/is-loopback.ts';
import { unusableHosts } from '../../schema/http/is-trusted.ts';
import { rootPointer } from '../../schema/json/pointer.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import { type ServiceKey, serviceKeys } from '../access/service-keys.ts';
import { secretReader } from '../cli/settings/secret-reader.ts';
import { createPluginRoutes } from '../control-routes/plugin-routes.ts';
import type { LinkPorts } from '../engine/link.ts';
import type { CacheSettings } from '../engine/plugin-caches/caches.ts';
import { wholeStages } from '../engine/stages/whole-stages.ts';
import type { PlanSource } from '../file-plans/plan-source.ts';
import { createMemoryBreakers } from '../in-memory/memory-breakers.ts';
import { seededChance } from '../in-memory/seeded-chance.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import type { GatewayFetch } from '../server/fetch/gateway-fetch.ts';
import { toFetch } from '../server/fetch/to-fetch.ts';
import { failureLog } from '../server/logs/failure-log.ts';
import { startGatewayServer } from '../server/node-http/gateway-server.ts';
import type { Listening } from '../server/node-http/listen.ts';
import { RunningRequests } from '../server/running-requests.ts';
import { createService, type GatewayService } from '../server/service.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createPrices } from '../usage/prices/create-prices.ts';
import type { OwnPrices } from '../usage/prices/own-prices.ts';
import type { EgressSettings } from './egress-settings.ts';
import { toEmbeddedEgress } from './embedded-egress.ts';

export interface EmbeddedSettings {
  /** The gateway's own plugins and others, in the order in which they tap. */
  readonly plugins: readonly Plugin[];
  readonly secrets: { readonly [name: string]: string | undefined };
  readonly trustedHosts: readonly string[];
  readonly serviceKeys: readonly ServiceKey[];
  readonly prices: OwnPrices;
  readonly cache: CacheSettings;
  readonly egress: EgressSettings;
}

export interface ListenSettings {
  /** Default: 127.0.0.1. A host other than loopback needs service keys, or `open`. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Answers all callers, even without service keys. */
  readonly open?: boolean;
}

/** The address of a running gateway. */
export interface GatewayAddress {
  /** For clients' `baseURL`: `http://127.0.0.1:8787/v1`. */
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
}

/** A plan that runs inside a program and serves every request without its own config. */
export interface Gateway {
  /** Serves a request without a socket: `new OpenAI({ fetch: (url, init) => gateway.fetch(new Request(url, init)) })`. */
  readonly fetch: GatewayFetch;
  /** Serves requests over HTTP. Rejects if it cannot listen on the address. */
  listen(settings?: ListenSettings): Promise<GatewayAddress>;
  /**
   * Accepts no more requests, lets running ones finish (for `drainMs` milliseconds, default 30,000), and closes all connections.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** Returns a source that contains one plan. */
const toSource = (plan: RoutingPlan): PlanSource => {
  const name = planFileName(plan.name);
  return {
    folder: '',
    read: async () => [{ name, file: plan.sources[0]?.file ?? name, text: plan.hash }],
    toPlan: () => ({ plan, secrets: [], diagnostics: [] }),
  };
};

const noConfigs = (plan: RoutingPlan): Diagnostic => ({
  code: 'configs-not-served',
  severity: 'error',
  message: 'This gateway serves its own plan and does not accept configs from callers.',
  hint: `Send x-gw-config: ${planFileName(plan.name)}, or omit the header.`,
  pointer: rootPointer,
  span: { offset: 0, length: 0, line: 1, column: 1 },
});

const closed = (): Error =>
  new Error('The gateway is closed and does not accept requests any more. Create another one.');

/** Throws an `Error` if an entry of the list cannot name a host. */
const refuseUnusableHosts = (trusted: readonly string[]): void => {
  const [unusable] = unusableHosts(trusted);
  if (unusable !== undefined) throw new Error(unusable);
};

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export class EmbeddedGateway implements Gateway {
  readonly #plan: RoutingPlan;
  readonly #settings: EmbeddedSettings;
  readonly #ports: LinkPorts;
  readonly #gatewayServices: GatewayService[] = [];
  readonly #listening: Listening[] = [];
  readonly #fetch: GatewayFetch;
  readonly #ready: Promise<unknown>;
  /** The running requests without a socket. */
  readonly #running = new RunningRequests();
  #isClosed = false;

  constructor(plan: RoutingPlan, settings: EmbeddedSettings) {
    this.#plan = plan;
    this.#settings = settings;
    refuseUnusableHosts(settings.trustedHosts);
    this.#ports = {
      clock: systemClock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock: systemClock }),
      upstreams: createUpstreams({
        ...{ trustedHosts: settings.trustedHosts, clock: systemClock },
        secrets: secretReader(settings.secrets),
        egress: toEmbeddedEgress(settings.egress),
      }),
      prices: createPrices(settings.prices),
    };
    const service = this.#service(true);
    // Reloading would only collect the problems, but the creator of a gateway should receive them immediately.
    service.gateway.link({ plan, secrets: secretReader(settings.secrets) });
    this.#ready = service.generations.reload().then(() => service.start());
    // Each request receives the failure. Until then it must not end the process as an unhandled rejection.
    this.#ready.catch(() => {});
    this.#fetch = toFetch({ service, clock: systemClock, running: this.#running });
  }

  readonly fetch: GatewayFetch = async (request) => {
    await this.#ready;
    if (this.#isClosed) throw closed();
    return this.#fetch(request);
  };

  async listen({ host = '127.0.0.1', port = 0, open = false }: ListenSettings = {}): Promise<GatewayAddress> {
    if (this.#isClosed) throw closed();
    const keys = this.#settings.serviceKeys;
    if (keys.length === 0 && !open && !isLoopback(host))
      throw new Error(
        `Without service keys, a gateway listens on loopback only, and ${host} is not loopback. Set serviceKeys, or allow all callers: listen({ open: true })`,
      );
    const service = this.#service(open);
    await service.generations.reload();
    const listening = await startGatewayServer({ host, port, service, clock: systemClock });
    if (this.#isClosed) {
      await listening.drain(0);
      throw closed();
    }
    // If a plugin cannot start, `close` still ends the server.
    this.#listening.push(listening);
    service.start();
    return { baseUrl: `http://${urlHost(host)}:${listening.port}/v1`, host, port: listening.port };
  }

  async close({ drainMs = 30_000 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      within(systemClock, drainMs, this.#running.none()).catch(() => {}),
      ...this.#listening.splice(0).map((listening) => listening.drain(drainMs)),
    ]);
    await Promise.all(this.#gatewayServices.splice(0).map((service) => service.gateway.close()));
  }

  /** The two services differ only in whom they admit. Circuits and connections are shared. */
  #service(open: boolean): GatewayService {
    const { plugins, serviceKeys: keys, secrets, cache } = this.#settings;
    const plan = this.#plan;
    const service = createService({
      pluginRoutes: createPluginRoutes,
      stageCode: wholeStages,
      plugins: [...plugins, failureLog((text) => process.stderr.write(text), systemClock)],
      log: (text) => process.stderr.write(`gw: ${text}\n`),
      ports: this.#ports,
      secrets: secretReader(secrets),
      source: toSource(plan),
      loadCompiler: async () => () => ({ secrets: [], diagnostics: [noConfigs(plan)] }),
      defaultConfig: planFileName(plan.name),
      cache,
      open,
      identities: keys.length === 0 ? [] : [{ identify: serviceKeys(keys) }],
    });
    this.#gatewayServices.push(service);
    return service;
  }
}
