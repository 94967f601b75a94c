import { builtinPlugins } from '../../../../plugins/builtin.ts';
import type { Identities } from '../../../../plugins/sdk/control-plane/identities.ts';
import type { StoreStatus } from '../../../../plugins/sdk/control-plane/store-status.ts';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse, ResponseBody } from '../../../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { type AdmissionOptions, admission } from '../../../../runtime/access/admission.ts';
import { guardIdentities } from '../../../../runtime/access/guard-identities.ts';
import { clientClosedResponse } from '../../../../runtime/engine/error-responses/client-closed-response.ts';
import { errorResponse } from '../../../../runtime/engine/error-responses/error-response.ts';
import type { LinkedPlan } from '../../../../runtime/engine/link.ts';
import { createGenerations, type Generations } from '../../../../runtime/file-plans/generations.ts';
import type { PlanSource } from '../../../../runtime/file-plans/plan-source.ts';
import { toServedPlan } from '../../../../runtime/file-plans/served-plan.ts';
import { MemoryBudget } from '../../../../runtime/http/body/memory-budget.ts';
import { createClients, type UnknownHeaders } from '../../../../runtime/http/exchange/clients.ts';
import type { HttpExchange } from '../../../../runtime/http/exchange/http-exchange.ts';
import { lateModelCatalogue } from '../../../../runtime/model-catalogue/late-model-catalogue.ts';
import { checkNamedPlan, planChooser } from '../../../../runtime/plan-choice/plan-chooser.ts';
import type { Clock } from '../../../../runtime/ports/clock.ts';
import { defaultLimits, type Limits } from '../../../../runtime/server/limits.ts';
import { startGatewayServer } from '../../../../runtime/server/node-http/gateway-server.ts';
import type { Listening } from '../../../../runtime/server/node-http/listen.ts';
import type { GatewayService } from '../../../../runtime/server/service.ts';
import { type CompileCaller, createCallerPlans } from '../../../../runtime/tenant-plans/caller-plans.ts';
import { createCompletedPlans } from '../../../../runtime/tenant-plans/completed-plans.ts';
import { createPlanCache } from '../../../../runtime/tenant-plans/plan-cache.ts';
import { requestPlan } from '../../../../runtime/tenant-plans/request-plan.ts';
import type { TenantPlans } from '../../../../runtime/tenant-plans/tenant-plans.ts';
import { checkHost } from '../../../../runtime/upstream/check-host.ts';
import { errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import { fakeLinkedPlan } from '../../../support/plans/fake-linked-plan.ts';

export const testClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** A function in place of a linked plan, because the server is tested apart from what runs behind it. */
export type Execute = (exchange: Exchange, plan: RoutingPlan) => Promise<GatewayResponse> | GatewayResponse;

export interface TestServerOptions {
  readonly execute: Execute;
  readonly admission?: Partial<Pick<AdmissionOptions, 'open'>>;
  readonly identities?: Identities;
  readonly limits?: Partial<Limits>;
  readonly source?: PlanSource;
  readonly compile?: CompileCaller;
  readonly defaultConfig?: string;
  /** The plans of what tenants have saved. */
  readonly tenants?: TenantPlans;
  readonly storeStatus?: () => StoreStatus;
  /** Defaults to the built-in plugins. */
  readonly plugins?: readonly Plugin[];
  readonly unknownHeaders?: UnknownHeaders;
}

export interface TestServer extends Listening, AsyncDisposable {
  readonly origin: string;
  readonly memoryBudget: MemoryBudget;
  readonly generations: Generations;
}

/** Returns a 200 with a body, as from an upstream. */
export const answer = (body: ResponseBody | string, parts: Partial<GatewayResponse> = {}): GatewayResponse => ({
  status: 200,
  headers: ['content-type', 'application/json'],
  origin: 'upstream',
  body: typeof body === 'string' ? { kind: 'bytes', bytes: Buffer.from(body) } : body,
  ...parts,
});

const report = (error: unknown): GatewayResponse =>
  errorResponse(error instanceof GatewayError ? error.report : errorReport('internal-error', {}), {
    dialect: undefined,
  });

/** Starts a server on a free port that has everything except plans and upstreams. */
export const startServer = async (options: TestServerOptions): Promise<TestServer> => {
  const limits = { ...defaultLimits, ...options.limits };
  const memoryBudget = new MemoryBudget(limits.bodiesBytes);
  const bounds = { memoryBudget, bodyBytes: limits.bodyBytes };
  const clients = createClients(options.plugins ?? builtinPlugins, options);
  const identities = options.identities === undefined ? undefined : guardIdentities(options.identities, testClock);
  const link = (plan: RoutingPlan): LinkedPlan => ({
    ...fakeLinkedPlan(plan, async (exchange) => options.execute(exchange, plan)),
    relink: (change) => link(change.plan),
  });
  const generations = createGenerations({ link, ...(options.source === undefined ? {} : { source: options.source }) });
  await generations.reload();
  const compile: CompileCaller = options.compile ?? (() => ({ secrets: [], diagnostics: [] }));
  const plan = planChooser({
    ...bounds,
    ...(options.tenants === undefined ? {} : { tenants: options.tenants }),
    dialects: clients.dialects,
    callerPlans: createCallerPlans({
      load: async () => compile,
      link,
      cache: createPlanCache({ check: () => undefined }),
      ...(identities === undefined ? {} : { identify: identities.identify }),
    }),
    requestPlan: toServedPlan(link(requestPlan), { origin: 'caller', secrets: [] }),
    completed: createCompletedPlans({ link, provider: () => undefined }),
    provider: () => undefined,
    savedModels: async () => [],
    fileProviders: { providers: {}, secrets: () => undefined },
    modelCatalogue: lateModelCatalogue({ plugins: [], now: () => 0 }),
    upstreams: { findHostError: (baseUrl) => checkHost(baseUrl, ['127.0.0.1']) },
    configBytes: limits.configBytes,
    ...(options.defaultConfig === undefined ? {} : { defaultConfig: options.defaultConfig }),
  });
  const admit = admission({
    ...bounds,
    open: false,
    checkNamedPlan: (exchange) => checkNamedPlan(exchange, plan),
    ...options.admission,
    ...(identities === undefined ? {} : { identities }),
  });
  const handle = async (exchange: HttpExchange): Promise<GatewayResponse> => {
    if (exchange.cancellation.cancelled) return clientClosedResponse;
    try {
      return await (await plan(exchange)).execute(exchange);
    } catch (error) {
      return report(error);
    }
  };
  const receive: GatewayService['receive'] = (exchange, respond) =>
    admit(exchange, (refused) => {
      if (refused === undefined) handle(exchange).then(respond);
      else respond(report(refused));
    });
  const guarded = identities === undefined && options.admission?.open !== true;
  const service = {
    gateway: { begin: () => {}, refuse: (_exchange: Exchange, error: GatewayError) => report(error) },
    receive,
    clients,
    generations,
    memoryBudget,
    limits,
    guarded,
    ...(identities === undefined ? {} : { identities }),
    ...(options.storeStatus === undefined ? {} : { storeStatus: options.storeStatus }),
  };
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock: testClock });
  return {
    ...server,
    origin: `http://127.0.0.1:${server.port}`,
    memoryBudget,
    generations,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
};
