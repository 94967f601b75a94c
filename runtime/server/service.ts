import type { ReadConsolePage } from '../../plugins/sdk/control-plane/console-pages.ts';
import type { IdempotencyStore } from '../../plugins/sdk/control-plane/idempotency-store.ts';
import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { StoreStatus } from '../../plugins/sdk/control-plane/store-status.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import type { Overload, OverloadStatus } from '../../plugins/sdk/overload/overload.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { Saved } from '../../schema/config/saved.ts';
import { asGatewayError, gatewayError } from '../../schema/errors/errors.ts';
import type { RoutingPlan, SecretRef } from '../../schema/plan/plan.ts';
import { admission } from '../access/admission.ts';
import type { OnRefused } from '../access/authenticate.ts';
import { guardIdentities } from '../access/guard-identities.ts';
import { joinIdentities } from '../access/join-identities.ts';
import type { CreatePluginRoutes } from '../control-routes/plugin-routes.ts';
import type { AnswerMemory } from '../engine/call/answer-bounds.ts';
import { createRuntime, type Gateway, type GatewayOptions } from '../engine/gateway.ts';
import { startPlugins } from '../engine/plugins/apply-plugins.ts';
import type { FileModels } from '../file-plans/file-models.ts';
import { createGenerations, type Generations } from '../file-plans/generations.ts';
import type { PlanSource } from '../file-plans/plan-source.ts';
import { toServedPlan } from '../file-plans/served-plan.ts';
import type { Acceptance } from '../http/accept/acceptance.ts';
import { MemoryBudget } from '../http/body/memory-budget.ts';
import { type Clients, createClients, type UnknownHeaders } from '../http/exchange/clients.ts';
import { HttpExchange, hasSockets } from '../http/exchange/http-exchange.ts';
import { isHandshake, refusedUpgrade } from '../http/exchange/refused-upgrade.ts';
import type { Spool } from '../http/forms/spool.ts';
import type { CheckHeaders } from '../http/headers/read-caller-headers.ts';
import type { ModelCatalogue } from '../model-catalogue/create-model-catalogue.ts';
import { lateModelCatalogue } from '../model-catalogue/late-model-catalogue.ts';
import { checkNamedPlan, planChooser } from '../plan-choice/plan-chooser.ts';
import { isControlRoute } from '../route-matching/declared-routes.ts';
import type { AlertStatus } from '../status-pages/alert-status.ts';
import type { ReadMetrics } from '../status-pages/metrics-page.ts';
import { type CompileCaller, createCallerPlans } from '../tenant-plans/caller-plans.ts';
import { CompileShares } from '../tenant-plans/compile-shares.ts';
import { createCompletedPlans } from '../tenant-plans/completed-plans.ts';
import { createPlanCache } from '../tenant-plans/plan-cache.ts';
import { requestPlan } from '../tenant-plans/request-plan.ts';
import { createSavedModels } from '../tenant-plans/saved-models.ts';
import type { TenantPlans, TenantPlansOptions } from '../tenant-plans/tenant-plans.ts';
import type { CrossOrigin } from './cross-origin.ts';
import { defaultLimits, type Limits } from './limits.ts';

export interface GatewayServiceOptions extends Omit<GatewayOptions, 'options' | 'models' | 'sendsMirrors'> {
  /** The gateway's own plugins and others, in the order in which they tap. */
  readonly plugins: readonly Plugin[];
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** The source of saved plans. */
  readonly source?: PlanSource | undefined;
  /** Loads the compiler for callers' configs, on first need. */
  readonly loadCompiler: () => Promise<CompileCaller>;
  readonly defaultConfig?: string | undefined;
  /** The virtual models of the gateway file. Default: none. */
  readonly models?: FileModels | undefined;
  /** The providers that the gateway file saves. Default: none. */
  readonly savedProviders?: Saved['providers'];
  /** The virtual keys of the gateway file. Default: none. */
  readonly savedVirtualKeys?: Saved['virtualKeys'];
  /** The facts of models. Default: those of plugins and of the price table. */
  readonly modelCatalogue?: () => Promise<ModelCatalogue>;
  readonly limits?: Partial<Limits>;
  /** Default: `refuse`. */
  readonly unknownHeaders?: UnknownHeaders | undefined;
  /** An additional rule for the headers of requests. Default: none. */
  readonly checkHeaders?: CheckHeaders | undefined;
  /** How the clients of another gateway are served. If absent, their headers have no meaning. */
  readonly accept?: Acceptance | undefined;
  /** Limits the time for compiling configs of each tenant, here and elsewhere. Default: separate limits. */
  readonly compileShares?: CompileShares;
  /** The tenants' saved values, and the compiler for them. Absent without a control plane. */
  readonly tenants?: Pick<TenantPlansOptions, 'tenants' | 'load'> & {
    readonly create: (options: TenantPlansOptions) => TenantPlans;
  };
  /** Serves the routes of plugins. Only needed if `needsPluginRoutes` returns true. */
  readonly pluginRoutes?: CreatePluginRoutes;
  /**
   * The sources of callers' identities. A key that one source does not know is looked up in the next. Absent or empty: no service
   * keys.
   */
  readonly identities?: readonly Identities[];
  /** Stores forms that are too large for memory. If absent, they are refused. */
  readonly spool?: Spool | undefined;
  /** Without service keys: whether anyone may call, with any host name. */
  readonly open: boolean;
  /** Stores replies to repeated requests of the control plane. Default: in memory. */
  readonly idempotencyStore?: IdempotencyStore;
  /** Reports how the store of the control plane is followed. Absent without one. */
  readonly storeStatus?: () => StoreStatus;
  /** The pages of the console. Absent without a store. */
  readonly consolePages?: ReadConsolePage;
  /** Returns the status of the receivers of alerts. Absent if there are none. */
  readonly alerts?: () => readonly AlertStatus[];
  /** The overload protection. Absent if there is none. */
  readonly overload?: Pick<Overload, 'admit'> & { readonly status: () => OverloadStatus };
  /** Set if `/metrics` is served together with everything else. */
  readonly metrics?: ReadMetrics;
  /** Set if pages of other origins may call models. */
  readonly cors?: CrossOrigin | undefined;
}

/** Sends an answer. Never throws. */
export type Respond = (response: GatewayResponse) => void;

/** A gateway with its plans: everything except the transport. */
export interface GatewayService {
  readonly gateway: Gateway;
  readonly clients: Clients;
  readonly generations: Generations;
  readonly memoryBudget: MemoryBudget;
  readonly limits: Limits;
  /** Whether only callers from this machine are answered. */
  readonly guarded: boolean;
  /** Set if there are service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities | undefined;
  /** Notified of each service key that is refused. */
  readonly onRefused?: OnRefused;
  /** Set if there is a store. */
  readonly storeStatus?: (() => StoreStatus) | undefined;
  /** Set if there is a store. */
  readonly consolePages?: ReadConsolePage | undefined;
  /** Set if there are receivers of alerts. */
  readonly alerts?: (() => readonly AlertStatus[]) | undefined;
  /** Set if there is overload protection. */
  readonly overload?: (() => OverloadStatus) | undefined;
  /** Set if `/metrics` is one of its pages. */
  readonly metrics?: ReadMetrics | undefined;
  /** Set if pages of other origins may call models. */
  readonly cors?: CrossOrigin | undefined;
  /** Admits and runs a request. Calls back once, with the answer that `respond` must send. */
  readonly receive: (exchange: HttpExchange, respond: Respond) => void;
  /** Lets plugins start work that no request asks for. Called once, when there are plans. */
  start(): void;
}

/**
 * Reserves memory for an answer, unless the exchange is over and has released its memory, because memory reserved after that
 * would never be released.
 */
const takeForAnswer = (exchange: HttpExchange, bytes: number, memoryBudget: MemoryBudget): boolean =>
  !exchange.cancellation.cancelled && memoryBudget.take(bytes, exchange);

/** Whether a handshake may open a WebSocket on its connection. */
const maySwitch = ({ route, connection }: HttpExchange): boolean =>
  hasSockets(route) && connection?.response.openSocket !== undefined;

/** Whether a plugin has routes, or calls the gateway by itself. */
export const needsPluginRoutes = (plugins: readonly Plugin[]): boolean =>
  plugins.some(({ routes = [], start }) => routes.length > 0 || start !== undefined);

const toPluginRoutes = ({ pluginRoutes }: GatewayServiceOptions): CreatePluginRoutes => {
  if (pluginRoutes === undefined) throw new TypeError('A plugin has routes, but the option "pluginRoutes" is missing.');
  return pluginRoutes;
};

/** Serves only clients of this gateway. */
const noneAccepted: Omit<Acceptance, 'readHeaders'> & Partial<Acceptance> = {
  named: (error) => error,
  choose: (choose) => choose,
};

/** Joins all sources to one that can be called safely. Undefined if there are none. */
const findIdentities = ({
  identities: [first, ...others] = [],
  ports,
}: GatewayServiceOptions): Identities | undefined =>
  first === undefined ? undefined : guardIdentities(others.reduce(joinIdentities, first), ports.clock);

/**
 * Joins plugins, ports and plans. The generations are empty until they are first reloaded. Throws a `PluginError` for plugins
 * that cannot be used together.
 */
export const createService = (options: GatewayServiceOptions): GatewayService => {
  const { plugins, ports, secrets, source, loadCompiler, open, log = () => {} } = options;
  const { compileShares: shares = new CompileShares(ports.clock), accept = noneAccepted } = options;
  const { unknownHeaders, checkHeaders: check } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const memoryBudget = new MemoryBudget(limits.bodiesBytes);
  const answerMemory: AnswerMemory = {
    take: (bytes, exchange) => !(exchange instanceof HttpExchange) || takeForAnswer(exchange.self, bytes, memoryBudget),
  };
  const bounds = { memoryBudget, bodyBytes: limits.bodyBytes, spool: options.spool, clock: ports.clock };
  const modelCatalogue = options.modelCatalogue ?? lateModelCatalogue({ plugins, now: ports.clock.wall });
  const gateway = createRuntime({
    ...options,
    models: modelCatalogue,
    ports: { ...ports, bounds: limits, answerMemory },
  });
  const clients = createClients(plugins, { unknownHeaders, check, accept: accept.readHeaders });
  const link = (plan: RoutingPlan) => gateway.link({ plan, secrets });
  const provider = (id: string): Provider | undefined => gateway.hooks.provider.get(id)?.call();
  const identities = findIdentities(options);
  const { keyRefused } = gateway.hooks;
  const onRefused: OnRefused = (presented, address) => {
    identities?.noteRefused?.(presented);
    const keyId = identities?.findKeyId?.(presented);
    const origin = { ...(keyId === undefined ? {} : { keyId }), ...(address === undefined ? {} : { address }) };
    keyRefused.call({ ...origin, at: ports.clock.wall() });
  };
  const cache = createPlanCache({ check: (id) => gateway.hooks.check.get(id.toLowerCase())?.call() });
  const plan = planChooser({
    ...bounds,
    callerPlans: createCallerPlans({
      load: loadCompiler,
      link: (callers) => gateway.link({ plan: callers, secrets, callerPlan: true }),
      identify: identities?.identify,
      cache,
      shares,
    }),
    ...(options.tenants === undefined
      ? {}
      : {
          tenants: options.tenants.create({
            ...options.tenants,
            identify: identities?.identify,
            cache,
            shares,
            provider,
            secrets,
            link: (saved, { secrets: own, prompts }) =>
              gateway.link({
                plan: saved,
                secrets: (ref) => own(ref) ?? secrets(ref),
                callerPlan: true,
                ...(prompts === undefined ? {} : { prompts }),
              }),
          }),
        }),
    requestPlan: toServedPlan(gateway.link({ plan: requestPlan, secrets }), { origin: 'caller', secrets: [] }),
    completed: createCompletedPlans({ link, provider }),
    configBytes: limits.configBytes,
    dialects: clients.dialects,
    provider,
    savedModels: createSavedModels({ provider, modelCatalogue }),
    fileProviders: { providers: options.savedProviders, virtualKeys: options.savedVirtualKeys, secrets },
    modelCatalogue,
    upstreams: ports.upstreams,
    readsModels: options.limiter !== undefined,
    readsForms: (principal) => options.limiter?.readsModels?.(principal) === true,
    defaultConfig: options.defaultConfig,
  });
  const servedPlan = accept.choose(plan);
  const admit = admission({
    ...{ ...bounds, open, onRefused, begin: options.overload?.admit, origins: options.cors },
    checkNamedPlan: (exchange) => checkNamedPlan(exchange, plan),
    identities,
  });
  const generations = createGenerations({
    link,
    source,
    models: options.models,
    defaultConfig: options.defaultConfig,
  });
  const guarded = identities === undefined && !open;
  const routed = needsPluginRoutes(plugins)
    ? toPluginRoutes(options)({
        ...{
          plugins,
          gateway,
          generations,
          plan,
          ...bounds,
          clock: ports.clock,
          log,
          guarded,
          onRefused,
          origins: options.cors,
        },
        kept: options.idempotencyStore,
        identities,
      })
    : undefined;
  const control = routed?.control;
  const openSocket = async (exchange: HttpExchange): Promise<GatewayResponse> => {
    try {
      await checkNamedPlan(exchange, plan);
      const { connection } = exchange;
      const opened = await connection?.openMessages?.(exchange, connection.request);
      if (opened === undefined) throw refusedUpgrade(exchange.url, clients);
      return gateway.conclude(exchange, opened);
    } catch (error) {
      return gateway.refuse(exchange, accept.named(asGatewayError(error), exchange));
    }
  };
  return {
    gateway,
    clients,
    generations,
    memoryBudget,
    limits,
    guarded,
    onRefused,
    identities,
    storeStatus: options.storeStatus,
    consolePages: options.consolePages,
    alerts: options.alerts,
    overload: options.overload?.status,
    metrics: options.metrics,
    cors: options.cors,
    start() {
      if (routed !== undefined) startPlugins(plugins, { dispatch: routed.dispatch });
    },
    receive: (exchange, respond) => {
      const { route } = exchange;
      gateway.begin(exchange);
      if (isHandshake(exchange.request.method, exchange.caller) && !maySwitch(exchange)) {
        respond(gateway.refuse(exchange, refusedUpgrade(exchange.url, clients)));
        return;
      }
      if (isControlRoute(route)) {
        if (control === undefined || route.isAbsent)
          respond(gateway.refuse(exchange, gatewayError('no-control-plane', {})));
        else control(exchange).then(respond);
        return;
      }
      admit(exchange, (refused) => {
        if (refused !== undefined) respond(gateway.refuse(exchange, accept.named(refused, exchange)));
        else if (route.answersMessages === true) openSocket(exchange).then(respond);
        else gateway.handle(exchange, servedPlan).then(respond);
      });
    },
  };
};
