import { planComparison } from '../../../../compiler/cli/diff/plan-comparison.ts';
import { compile } from '../../../../compiler/compile.ts';
import { compileCaller } from '../../../../compiler/compile-caller.ts';
import { hostWarnings } from '../../../../compiler/gateway-file-checks/check-saved.ts';
import { describeCatalogue } from '../../../../compiler/plugin-catalogue/describe-catalogue.ts';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { createControlIdentities } from '../../../../plugins/control/access/identity/identities.ts';
import { ensureFirst } from '../../../../plugins/control/access/keys/first-key.ts';
import { keyRoutes } from '../../../../plugins/control/access/keys/key-routes.ts';
import { organisationRoutes } from '../../../../plugins/control/access/workspaces/organisation-routes.ts';
import { toGuardrailParts } from '../../../../plugins/control/catalog/guardrails/saved-guardrails.ts';
import { createTenants } from '../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { createAllowances } from '../../../../plugins/control/kernel/fairness/allowances.ts';
import { newMasterKey } from '../../../../plugins/control/kernel/secrets/master-key.ts';
import { createSealer } from '../../../../plugins/control/kernel/secrets/sealer.ts';
import type { Store } from '../../../../plugins/control/kernel/store/store.ts';
import type { GuardrailRow } from '../../../../plugins/control/kernel/store/tables.ts';
import { resources } from '../../../../plugins/control/resources.ts';
import type { Clock } from '../../../../plugins/sdk/clock.ts';
import { buildCatalogue } from '../../../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { serviceKeys } from '../../../../runtime/access/service-keys.ts';
import { Deadlines } from '../../../../runtime/async/deadlines.ts';
import { createPluginRoutes } from '../../../../runtime/control-routes/plugin-routes.ts';
import { checkHttp } from '../../../../runtime/engine/guardrail-checks/check-http.ts';
import { wholeStages } from '../../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers } from '../../../../runtime/in-memory/memory-breakers.ts';
import { seededChance } from '../../../../runtime/in-memory/seeded-chance.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import { requestLog } from '../../../../runtime/server/logs/request-log.ts';
import { startGatewayServer } from '../../../../runtime/server/node-http/gateway-server.ts';
import { createService } from '../../../../runtime/server/service.ts';
import { checkHost } from '../../../../runtime/upstream/check-host.ts';
import { createUpstreams } from '../../../../runtime/upstream/upstreams.ts';
import { nothingSaved, type Saved, type SavedProvider } from '../../../../schema/config/saved.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../../schema/plan/plan.ts';
import { describedRoutes } from './described-routes.ts';

const catalogue = buildCatalogue(builtinPlugins);
const trustedHosts = ['127.0.0.1'];
/** The same for all processes that a test runs on its store. */
const masterKey = newMasterKey();

/** A key of the gateway file, in addition to those of the store. */
export const fileKey = 'a-key-of-the-gateway-file';

export interface Asking {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

export interface ServedControl extends AsyncDisposable {
  /** Sends a request to a path below `/v1`, with a JSON body if there is one. */
  ask(path: string, asking?: Asking): Promise<ControlAnswer>;
  /** Sends a request to a model, and returns the status. */
  chat(key: string, headers?: Readonly<Record<string, string>>): Promise<number>;
  /** The log of requests. */
  readonly lines: readonly JsonObject[];
}

export interface ServedControlOptions {
  /** The clock for identifying callers. */
  readonly clock?: Clock;
  readonly staleAuthMs?: number;
  /** The names of the configs in the gateway's files. */
  readonly configNames?: readonly string[];
  /** The guardrails of the gateway file. */
  readonly guardrails?: Saved['guardrails'];
}

/** Creates the first key of a new store, and returns it. */
export const firstKey = async (store: Store): Promise<string> => {
  const first = await ensureFirst(store, { now: Date.now() });
  if (first.made !== 'new') throw new Error('The store is not new.');
  return first.key;
};

/** Starts a gateway with the keys, workspaces and organisation of a store, which listens on a socket. */
export const serveControl = async (store: Store, options: ServedControlOptions = {}): Promise<ServedControl> => {
  const { clock = systemClock, staleAuthMs, configNames = [], guardrails = {} } = options;
  const upstreams = createUpstreams({ trustedHosts });
  const breakers = createMemoryBreakers({ clock: systemClock });
  const ports = { clock: systemClock, chance: seededChance, breakers, upstreams };
  const http = checkHttp({ ports, deadlines: new Deadlines(systemClock), callerPlan: false });
  const identities = createControlIdentities({
    ...{ store, clock, http, trustedHosts },
    ...(staleAuthMs === undefined ? {} : { staleAuthMs }),
  });
  await identities.start();
  const overlay = { saved: { ...nothingSaved, guardrails }, configNames: () => configNames };
  const sealer = await createSealer({ store, masterKey });
  const parts = {
    ...{ store, now: () => clock.wall(), overlay, trustedHosts, catalogue, sealer },
    allowances: createAllowances(() => clock.wall()),
    readView: createTenants({ store, sealer, overlay, catalogue, clock: systemClock }).viewNow,
    findHostError: (url: string) => checkHost(url, trustedHosts),
    compile: async (text: string, how: { readonly saved: Saved; readonly name: string }) =>
      compile(text, { trust: 'saved', catalogue, ...how }),
    providerWarnings: async (_: string, provider: SavedProvider) => hostWarnings(provider, catalogue),
    comparePlans: async (_: string, before: RoutingPlan, after: RoutingPlan) => planComparison(before, after),
    describeCatalogue: async () => JSON.parse(JSON.stringify(await describeCatalogue(catalogue))),
    toSavedGuardrails: (rows: readonly GuardrailRow[]) => toGuardrailParts(rows).guardrails,
    resources,
  };
  const routes = [...organisationRoutes(parts), ...describedRoutes(parts), ...keyRoutes(parts)];
  const control: Plugin = { ...definePlugin({ name: 'control' }), routes };
  const lines: JsonObject[] = [];
  const service = createService({
    stageCode: wholeStages,
    pluginRoutes: createPluginRoutes,
    plugins: [
      ...builtinPlugins,
      control,
      requestLog({ clock: systemClock, write: (line) => lines.push(JSON.parse(line)) }),
    ],
    ports,
    secrets: () => undefined,
    loadCompiler: async () => (text) => compileCaller(text, { catalogue }),
    identities: [{ identify: serviceKeys([{ id: 'file', key: fileKey }]) }, identities],
    open: false,
  });
  const server = await startGatewayServer({ host: '127.0.0.1', port: 0, service, clock: systemClock });

  const ask = async (path: string, { key, method, headers = {}, json }: Asking = {}): Promise<ControlAnswer> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1${path}`, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === undefined ? {} : { 'x-gw-api-key': key }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    });
    const body: Json = JSON.parse((await answer.text()) || '{}');
    return { status: answer.status, body: isJsonObject(body) ? body : { body } };
  };

  return {
    ask,
    lines,
    chat: async (key, headers = {}) => {
      const json = { model: 'echo', messages: [{ role: 'user', content: 'Hello!' }] };
      return (await ask('/chat/completions', { key, headers: { 'x-gw-provider': 'echo', ...headers }, json })).status;
    },
    async [Symbol.asyncDispose]() {
      identities.close();
      await server.drain(0);
      await service.gateway.close();
    },
  };
};

/** Returns the error in a response. */
export const toError = ({ body: { error = null } }: ControlAnswer): JsonObject => (isJsonObject(error) ? error : {});

/** Returns the pointers of all errors in a response. */
export const toPointers = (answer: ControlAnswer): readonly Json[] => {
  const { errors = [] } = toError(answer);
  return Array.isArray(errors) ? errors.map((each: Json) => (isJsonObject(each) ? (each.pointer ?? null) : null)) : [];
};
