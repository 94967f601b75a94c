import type { ReadConsolePage } from '../../plugins/sdk/control-plane/console-pages.ts';
import type { IdempotencyStore } from '../../plugins/sdk/control-plane/idempotency-store.ts';
import type { Identities } from '../../plugins/sdk/control-plane/identities.ts';
import type { Limiter } from '../../plugins/sdk/control-plane/limiter.ts';
import type { ReferenceGuard } from '../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoreStatus } from '../../plugins/sdk/control-plane/store-status.ts';
import type { StoredItems } from '../../plugins/sdk/control-plane/stored-items.ts';
import type { TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import type { Overload } from '../../plugins/sdk/overload/overload.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { Saved } from '../../schema/config/saved.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import type { RoutingPlan, SecretRef } from '../../schema/plan/plan.ts';
import { admission } from '../access/admission.ts';
import type { OnRefused } from '../access/authenticate.ts';
import { guardIdentities } from '../access/guard-identities.ts';
import { joinIdentities } from '../access/join-identities.ts';
import type { CreatePluginRoutes } from '../control-routes/plugin-routes.ts';
import type { CacheSettings } from '../engine/cache/caches.ts';
import type { AnswerMemory } from '../engine/call/answer-bounds.ts';
import { createRuntime, type Gateway } from '../engine/gateway.ts';
import type { LinkPorts, OnLoss, PassThrough, PromptCache } from '../engine/link.ts';
import type { StageCode } from '../engine/stages/stage-code.ts';
import type { Acceptance } from '../http/accept/acceptance.ts';
import { MemoryBudget } from '../http/body/memory-budget.ts';
import { type Clients, createClients, type UnknownHeaders } from '../http/exchange/clients.ts';
import { HttpExchange } from '../http/exchange/http-exchange.ts';
import { isHandshake, refusedUpgrade } from '../http/exchange/refused-upgrade.ts';
import type { Spool } from '../http/forms/spool.ts';
import type { CheckHeaders } from '../http/headers/read-caller-headers.ts';
import type { ModelCatalogue } from '../model-facts/create-model-catalogue.ts';
import { lateModelCatalogue } from '../model-facts/late-model-catalogue.ts';
import type { FileModels } from '../plan-generations/file-models.ts';
import { createGenerations, type Generations } from '../plan-generations/generations.ts';
import type { PlanSource } from '../plan-generations/plan-source.ts';
import { toServedPlan } from '../plan-generations/served-plan.ts';
import { type CompileCaller, createCallerPlans } from '../plans/caller-plans.ts';
import { CompileShares } from '../plans/compile-shares.ts';
import { createCompletedPlans } from '../plans/completed-plans.ts';
import { createPlanCache } from '../plans/plan-cache.ts';
import { planChooser } from '../plans/plan-chooser.ts';
import { requestPlan } from '../plans/request-plan.ts';
import { createSavedModels } from '../plans/saved-models.ts';
import type { TenantPlans, TenantPlansOptions } from '../plans/tenant-plans.ts';
import type { NamedItems } from '../ports/named-items.ts';
import { isControlRoute } from '../routes/declared-routes.ts';
import type { AlertStatus } from '../status-pages/alert-status.ts';
import type { ReadMetrics } from '../status-pages/metrics-page.ts';
import type { OverloadStatus } from '../status-pages/overload-status.ts';
import { defaultLimits, type Limits } from './limits.ts';

export interface GatewayServiceOptions {
  /** The gateway's own and others, in the order in which they tap. */
  readonly plugins: readonly Plugin[];
  readonly ports: LinkPorts;
  readonly stageCode: StageCode;
  readonly secrets: (ref: SecretRef) => string | undefined;
  /** Another number whenever a secret in a file has changed; absent: secrets are those of the first link. */
  readonly secretsVersion?: () => number;
  /** Where saved plans come from. */
  readonly source?: PlanSource;
  /** The compiler for callers' configs, loaded on first need. */
  readonly loadCompiler: () => Promise<CompileCaller>;
  readonly defaultConfig?: string;
  /** The virtual models of the gateway file; none if absent. */
  readonly models?: FileModels;
  /** The providers that the gateway file saves; none if absent. */
  readonly savedProviders?: Saved['providers'];
  /** Its virtual keys; none if absent. */
  readonly savedVirtualKeys?: Saved['virtualKeys'];
  /** The facts of models; those of plugins and of the price table alone if absent. */
  readonly modelCatalogue?: () => Promise<ModelCatalogue>;
  readonly limits?: Partial<Limits>;
  /** `judged` if absent. */
  readonly passThrough?: PassThrough;
  /** The only headers of clients that are passed through, in lower case; all are if absent. */
  readonly passThroughHeaders?: ReadonlySet<string>;
  /** `refuse` if absent. */
  readonly unknownHeaders?: UnknownHeaders;
  /** Another rule for the headers of requests; there is none if absent. */
  readonly checkHeaders?: CheckHeaders | undefined;
  /** How the clients of another gateway are served; their headers mean nothing if absent. */
  readonly accept?: Acceptance | undefined;
  /** How checks read bodies; the new turns, and all members, if absent. */
  readonly reading?: TextReading;
  /** `tell` if absent. */
  readonly onLoss?: OnLoss;
  /** `off` if absent. */
  readonly promptCache?: PromptCache;
  /** Whether trails say what attempts used; false if absent. */
  readonly usage?: boolean;
  /** Notifies the operator of what no answer says; nowhere if absent. */
  readonly log?: (text: string) => void;
  /** How answers are cached by plans that say so; in memory if absent. */
  readonly cache?: CacheSettings;
  /** Bounds the time in which configs of each tenant are compiled, here and elsewhere; its own if absent. */
  readonly compileShares?: CompileShares;
  /** The tenants' saved values, and the compiler for them; absent without a control plane. */
  readonly tenants?: Pick<TenantPlansOptions, 'tenants' | 'load'> & {
    readonly create: (options: TenantPlansOptions) => TenantPlans;
  };
  /** Serves the routes of plugins; only needed if `needsPluginRoutes` says so. */
  readonly pluginRoutes?: CreatePluginRoutes;
  /**
   * The sources of callers' identities: a key that one of these does not know is looked up in the next. Absent or
   * empty: no service keys.
   */
  readonly identities?: readonly Identities[];
  /** Where forms are kept that are too large for memory; absent: they are refused. */
  readonly spool?: Spool;
  /** Without service keys: whether anyone may call, by any host name. */
  readonly open: boolean;
  /** Where replies to repeated requests of the control plane are kept; in memory if absent. */
  readonly idempotencyStore?: IdempotencyStore;
  /** How the store of the control plane is followed; absent without one. */
  readonly storeStatus?: () => StoreStatus;
  /** The pages of the console; absent without a store. */
  readonly consolePages?: ReadConsolePage;
  /** Counts requests and their attempts, and limits them; absent: nothing is counted. */
  readonly limiter?: Limiter;
  /** Judges what requests name in accounts that tenants share; absent where nothing is shared. */
  readonly references?: ReferenceGuard;
  /** Where items that answers name outlast this process; they are in memory alone if absent. */
  readonly storedItems?: StoredItems;
  /** The key of the placeholders that stand for redacted values; a new one for each process if absent. */
  readonly placeholderKey?: string | undefined;
  /** The items that answers name, as this process remembers them; its own alone if absent. */
  readonly rememberedItems?: NamedItems | undefined;
  /** How the receivers of alerts do; absent where there are none. */
  readonly alerts?: () => readonly AlertStatus[];
  /** The protection against overload; absent where there is none. */
  readonly overload?: Pick<Overload, 'admit'> & { readonly status: () => OverloadStatus };
  /** Given if `/metrics` is served beside everything else. */
  readonly metrics?: ReadMetrics;
}

/** Sends an answer; never throws. */
export type Respond = (response: GatewayResponse) => void;

/** A gateway with its plans: everything except the transport. */
export interface GatewayService {
  readonly gateway: Gateway;
  readonly clients: Clients;
  readonly generations: Generations;
  readonly memoryBudget: MemoryBudget;
  readonly limits: Limits;
  /** Only callers from this machine are answered. */
  readonly guarded: boolean;
  /** Given with service keys. They reject only with a `GatewayError`. */
  readonly identities?: Identities;
  /** Notified of each service key that is refused. */
  readonly onRefused?: OnRefused;
  /** Given with a store. */
  readonly storeStatus?: () => StoreStatus;
  /** Given with a store. */
  readonly consolePages?: ReadConsolePage | undefined;
  /** Given where there are receivers of alerts. */
  readonly alerts?: (() => readonly AlertStatus[]) | undefined;
  /** Given where there is protection against overload. */
  readonly overload?: (() => OverloadStatus) | undefined;
  /** Given if `/metrics` is one of its pages. */
  readonly metrics?: ReadMetrics;
  /** Admits and runs a request. Calls back once, with the answer that `respond` must send. */
  readonly receive: (exchange: HttpExchange, respond: Respond) => void;
  /** Lets plugins begin what no request asks for. Called once, when there are plans. */
  start(): void;
}

/**
 * Takes memory for an answer, unless it is over and has released its memory; memory reserved then would never be
 * released.
 */
const takeForAnswer = (exchange: HttpExchange, bytes: number, memoryBudget: MemoryBudget): boolean =>
  !exchange.cancellation.cancelled && memoryBudget.take(bytes, exchange);

/** Whether a plugin has routes, or asks the gateway for something by itself. */
export const needsPluginRoutes = (plugins: readonly Plugin[]): boolean =>
  plugins.some(({ routes = [], start }) => routes.length > 0 || start !== undefined);

const toPluginRoutes = ({ pluginRoutes }: GatewayServiceOptions): CreatePluginRoutes => {
  if (pluginRoutes === undefined) throw new TypeError('A plugin has routes, and nothing was given that serves them.');
  return pluginRoutes;
};

/** Clients of this gateway alone are served. */
const noneAccepted: Omit<Acceptance, 'readHeaders'> & Partial<Acceptance> = {
  named: (error) => error,
  choose: (choose) => choose,
};

/** All sources as one that is safe to ask; undefined if there are none. */
const findIdentities = ({
  identities: [first, ...others] = [],
  ports,
}: GatewayServiceOptions): Identities | undefined =>
  first === undefined ? undefined : guardIdentities(others.reduce(joinIdentities, first), ports.clock);

/**
 * Joins plugins, ports and plans. The generations are empty until they are first reloaded. Throws a `PluginError` for
 * plugins that cannot be used together.
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
    plugins,
    models: modelCatalogue,
    ports: { ...ports, bounds: limits, answerMemory },
    stageCode: options.stageCode,
    ...(options.passThrough === undefined ? {} : { passThrough: options.passThrough }),
    passThroughHeaders: options.passThroughHeaders,
    ...(options.reading === undefined ? {} : { reading: options.reading }),
    ...(options.onLoss === undefined ? {} : { onLoss: options.onLoss }),
    ...(options.promptCache === undefined ? {} : { promptCache: options.promptCache }),
    ...(options.usage === undefined ? {} : { usage: options.usage }),
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.cache === undefined ? {} : { cache: options.cache, secrets }),
    ...(options.limiter === undefined ? {} : { limiter: options.limiter }),
    ...(options.references === undefined ? {} : { references: options.references }),
    storedItems: options.storedItems,
    rememberedItems: options.rememberedItems,
    placeholderKey: options.placeholderKey,
    ...(options.secretsVersion === undefined ? {} : { secretsVersion: options.secretsVersion }),
  });
  const clients = createClients(plugins, { unknownHeaders, check, accept: accept.readHeaders });
  const link = (plan: RoutingPlan) => gateway.link({ plan, secrets });
  const provider = (id: string): Provider | undefined => gateway.hooks.provider.get(id)?.call();
  const identities = findIdentities(options);
  const { keyRefused } = gateway.hooks;
  const onRefused: OnRefused = (presented, address) => {
    const keyId = identities?.findKeyId?.(presented);
    const origin = { ...(keyId === undefined ? {} : { keyId }), ...(address === undefined ? {} : { address }) };
    keyRefused.call({ ...origin, at: ports.clock.wall() });
  };
  const admit = admission({
    ...{ ...bounds, open, onRefused, begin: options.overload?.admit },
    ...(identities === undefined ? {} : { identities }),
  });
  const cache = createPlanCache({ check: (id) => gateway.hooks.check.get(id.toLowerCase())?.call() });
  const identify = identities === undefined ? {} : { identify: identities.identify };
  const plan = planChooser({
    ...bounds,
    callerPlans: createCallerPlans({
      load: loadCompiler,
      link: (callers) => gateway.link({ plan: callers, secrets, callerPlan: true }),
      ...identify,
      cache,
      shares,
    }),
    ...(options.tenants === undefined
      ? {}
      : {
          tenants: options.tenants.create({
            ...options.tenants,
            ...identify,
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
    ...(options.defaultConfig === undefined ? {} : { defaultConfig: options.defaultConfig }),
  });
  const servedPlan = accept.choose(plan);
  const generations = createGenerations({
    link,
    ...(source === undefined ? {} : { source }),
    ...(options.models === undefined ? {} : { models: options.models }),
    ...(options.defaultConfig === undefined ? {} : { defaultConfig: options.defaultConfig }),
  });
  const guarded = identities === undefined && !open;
  const routed = needsPluginRoutes(plugins)
    ? toPluginRoutes(options)({
        ...{ plugins, gateway, generations, plan, ...bounds, clock: ports.clock, log, guarded, onRefused },
        kept: options.idempotencyStore,
        ...(identities === undefined ? {} : { identities }),
      })
    : undefined;
  const control = routed?.control;
  return {
    gateway,
    clients,
    generations,
    memoryBudget,
    limits,
    guarded,
    onRefused,
    ...(identities === undefined ? {} : { identities }),
    ...(options.storeStatus === undefined ? {} : { storeStatus: options.storeStatus }),
    consolePages: options.consolePages,
    alerts: options.alerts,
    overload: options.overload?.status,
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    start() {
      if (routed !== undefined) for (const plugin of plugins) plugin.start?.({ dispatch: routed.dispatch });
    },
    receive: (exchange, respond) => {
      const { route } = exchange;
      gateway.begin(exchange);
      if (isHandshake(exchange.request.method, exchange.caller)) {
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
        else gateway.handle(exchange, servedPlan).then(respond);
      });
    },
  };
};
