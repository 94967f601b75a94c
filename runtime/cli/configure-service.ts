import { dirname, resolve } from 'node:path';
import type { SinkStatus } from '../../plugins/sdk/control-plane/store-status.ts';
import { toReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { CheckHttp } from '../../plugins/sdk/guardrail/guardrail.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { factsFileOf } from '../../schema/config/file-names.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { type ServiceKey, serviceKeys } from '../access/service-keys.ts';
import { Deadlines } from '../async/deadlines.ts';
import { checkHttp } from '../engine/checks/check-http.ts';
import type { LinkPorts } from '../engine/link.ts';
import { lateStages } from '../engine/stages/late-stages.ts';
import type { Spool } from '../http/forms/spool.ts';
import { createMemoryBreakers } from '../memory/memory-breakers.ts';
import { seededChance } from '../memory/seeded-chance.ts';
import { systemClock } from '../memory/system-clock.ts';
import { lateModelCatalogue } from '../model-facts/late-model-catalogue.ts';
import { type WatchedLists, watchLists } from '../model-facts/watched-lists.ts';
import type { FileModels } from '../plan-generations/file-models.ts';
import type { PlanSource } from '../plan-generations/plan-source.ts';
import { CompileShares } from '../plans/compile/compile-shares.ts';
import { defaultLimits, type Limits } from '../server/limits.ts';
import { failureLog } from '../server/logs/failure-log.ts';
import {
  createService,
  type GatewayService,
  type GatewayServiceOptions,
  needsPluginRoutes,
} from '../server/service.ts';
import type { ReadMetrics } from '../status-pages/metrics-page.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createPrices } from '../usage/prices/create-prices.ts';
import { createPricedModels } from '../usage/prices/priced-models.ts';
import { openEgressRules } from './own-calls.ts';
import type { Alerts } from './services/alerts.ts';
import type { ControlPlane } from './services/control-plane.ts';
import type { OpenedOverload } from './services/overload.ts';
import type { ServeCompiler } from './services/serve-environment.ts';
import type { ServeServices } from './services/serve-services.ts';
import type { SharedParts } from './services/shared-parts.ts';
import type { Metrics } from './services/telemetry.ts';
import type { AlertFacts } from './settings/alert-settings.ts';
import { controlSettings, refuseSinksAlone, toSinkEgress } from './settings/control-settings.ts';
import type { ReadEnvironment } from './settings/read-environment.ts';
import { HeldSecrets, type SecretReader } from './settings/secret-reader.ts';
import { ServeFailure, spoolFailure } from './settings/serve-failure.ts';
import type { ServeOptions } from './settings/serve-options.ts';
import { type MetricsSettings, metricsSettings, telemetrySettings } from './settings/telemetry-settings.ts';
import { toCacheSettings } from './settings/to-cache-settings.ts';
import { checkExposure, needsKey, servedTrustedHosts, toServiceKeys } from './settings/to-service-keys.ts';
import { wantedLogs } from './settings/wanted-logs.ts';

export interface ConfigureServiceOptions {
  readonly options: ServeOptions;
  readonly environment: ReadEnvironment;
  readonly services: ServeServices;
  /** The host that it will listen on. */
  readonly host: string;
  /** The URL or path of the store; absent: there is no control plane. */
  readonly store?: string;
  /** Called when a secret of a file is read that was not before. */
  readonly onSecretFile?: () => void;
  /** For how many milliseconds what waits for receivers may be sent once the gateway closes. */
  readonly closeMs: () => number;
  /** Given to a worker; absent for a gateway of one process. */
  readonly shared?: SharedParts;
}

const toLimits = ({ limits = {} }: GatewayFile): Partial<Limits> => ({
  ...(limits.header_bytes === undefined ? {} : { headerBytes: limits.header_bytes }),
  ...(limits.config_bytes === undefined ? {} : { configBytes: limits.config_bytes }),
  ...(limits.body_bytes === undefined ? {} : { bodyBytes: limits.body_bytes }),
  ...(limits.bodies_bytes === undefined ? {} : { bodiesBytes: limits.bodies_bytes }),
  ...(limits.form_bytes === undefined ? {} : { formBytes: limits.form_bytes }),
  ...(limits.forms_bytes === undefined ? {} : { formsBytes: limits.forms_bytes }),
  ...(limits.answer_bytes === undefined ? {} : { answerBytes: limits.answer_bytes }),
  ...(limits.idle_ms === undefined ? {} : { idleMs: limits.idle_ms }),
});

/** Opens the folder for forms that are too large for memory. Throws a `ServeFailure` if it cannot be used. */
const openSpool = async ({ settings, file }: ReadEnvironment): Promise<Spool | undefined> => {
  if (settings.spool_dir === undefined || file === undefined) return undefined;
  const folder = resolve(dirname(file), settings.spool_dir);
  const { Spool: FormSpool } = await import('../http/forms/spool.ts');
  const spool = new FormSpool({ folder, ...defaultLimits, ...toLimits(settings) });
  await spool.check().catch((error: unknown) => {
    throw spoolFailure(error, folder);
  });
  return spool;
};

/** The lists of providers beside the gateway file. Throws a `ServeFailure` for a file that cannot be used. */
const openLists = async ({ file }: ReadEnvironment): Promise<WatchedLists | undefined> => {
  if (file === undefined) return undefined;
  const lists = watchLists(factsFileOf(file));
  const problem = await lists.problem();
  if (problem !== undefined) throw new ServeFailure(`${problem} Or remove the file.`);
  return lists;
};

/** Why the lists of providers that are used are not those of the file. */
const unusedLists = (problem: string | undefined): readonly string[] =>
  problem === undefined ? [] : [`${problem} Until then those that were read before are used.`];

/** The virtual models of the gateway file; undefined if it has none. */
const fileModels = async (
  environment: ReadEnvironment,
  loadCompiler: () => Promise<ServeCompiler>,
): Promise<FileModels | undefined> => {
  if (environment.settings.models === undefined) return undefined;
  const { toFileModels } = await import('./settings/to-file-models.ts');
  return toFileModels(environment, loadCompiler);
};

const openSource = async (
  { options, environment, services, shared }: ConfigureServiceOptions,
  compiler: () => Promise<ServeCompiler>,
): Promise<PlanSource | undefined> => {
  const together = shared?.source ?? ((own: PlanSource) => own);
  if (options.plans !== undefined) {
    const { plansFolder } = await import('../plan-generations/plans-folder.ts');
    return together(plansFolder(resolve(services.io.cwd, options.plans), environment.prepare));
  }
  const { settings, file } = environment;
  if (settings.configs === undefined || file === undefined) return undefined;
  const { configsFolder } = await import('../plan-generations/configs-folder.ts');
  const folder = resolve(dirname(file), settings.configs);
  return together(configsFolder(folder, async (text, config) => (await compiler()).compileOperator(text, config)));
};

/** Adds to a service what a control plane serves, beside who may call. */
const servedTenants = async (
  { tenants, idempotencyStore, storeStatus, limiter, references, storedItems }: ControlPlane,
  compiler: () => Promise<ServeCompiler>,
): Promise<
  Pick<GatewayServiceOptions, 'tenants' | 'idempotencyStore' | 'storeStatus' | 'limiter' | 'references' | 'storedItems'>
> => ({
  idempotencyStore,
  storeStatus,
  ...(limiter === undefined ? {} : { limiter }),
  ...(references === undefined ? {} : { references }),
  ...(storedItems === undefined ? {} : { storedItems }),
  tenants: {
    tenants,
    create: (await import('../plans/tenant/tenant-plans.ts')).createTenantPlans,
    load: async (saved) => {
      const { compileSaved, callerCompiler: findCaller, withDefaultHooks } = await compiler();
      return {
        compileSaved: (text, name, timed) => compileSaved(text, { saved, name, timed }),
        compileCaller: findCaller(saved),
        withDefaultHooks,
      };
    },
  },
});

/** Identifies by the service keys as they are now; those before count on where new ones cannot be used. */
const followedKeys = (
  { environment: { settings }, services }: ConfigureServiceOptions,
  { read, version }: HeldSecrets,
  first: readonly ServiceKey[],
): ReturnType<typeof serviceKeys> => {
  let identify = serviceKeys(first);
  let seen = version();
  return (presented) => {
    if (version() !== seen) {
      seen = version();
      try {
        identify = serviceKeys(toServiceKeys(settings, read));
      } catch (error) {
        services.io.stderr(`gw: ${errorText(error)} The keys before are still used.\n`);
      }
    }
    return identify(presented);
  };
};

/** Throws a `ServeFailure` for a saved provider whose host could not be called. */
const refuseUnusableTls = async ({ saved, settings }: ReadEnvironment, read: SecretReader): Promise<void> => {
  const all = [...Object.values(saved.providers), ...Object.values(saved.virtualKeys)];
  if (all.every(({ tls }) => tls === undefined)) return;
  const { findUnusableTls } = await import('./settings/find-unusable-tls.ts');
  const [first] = findUnusableTls(settings, read);
  if (first !== undefined) throw new ServeFailure(`${first.where}: ${first.message} ${first.hint}`);
};

/** How the receivers of the log do; none without a store. */
const sinkStatus = (control: ControlPlane | undefined): readonly SinkStatus[] =>
  control?.storeStatus().log?.sinks ?? [];

interface AlertParts extends Pick<ConfigureServiceOptions, 'environment' | 'services'> {
  readonly shared: SharedParts | undefined;
  readonly closeMs: ConfigureServiceOptions['closeMs'] | undefined;
  readonly secrets: SecretReader;
  readonly http: () => CheckHttp;
  readonly facts: () => AlertFacts;
  readonly findSlug: ControlPlane['findSlug'] | undefined;
  readonly log: (text: string) => void;
}

/** The parts of a gateway that alerts are, which has none of them without. */
interface OpenedAlerts {
  readonly plugins: readonly Plugin[];
  readonly status: { readonly alerts?: Alerts['status'] };
}

/** Opens the alerts of the gateway file, if it has any. Throws a `ServeFailure`. */
const openAlerts = async ({
  environment: { settings },
  services,
  shared,
  closeMs = () => 0,
  secrets,
  http,
  facts,
  findSlug,
  log,
}: AlertParts): Promise<OpenedAlerts> => {
  if (settings.alerts === undefined) return { plugins: [], status: {} };
  const { alertHealth, alertWays } = await import('./settings/alert-settings.ts');
  const health = () => alertHealth(facts());
  if (shared !== undefined) {
    const plugin = await services.workerAlerts({ settings: settings.alerts, health, send: shared.alerts });
    return { plugins: [plugin], status: {} };
  }
  const ways = alertWays(settings.alerts, { read: secrets, http: http() });
  const { plugin, status } = await services.alerts({
    ...ways,
    health,
    findSlug,
    closeMs,
    log,
  });
  return { plugins: [plugin], status: { alerts: status } };
};

/** The parts of a gateway by which it protects itself against overload, of which there is none without. */
interface OverloadParts {
  readonly plugins: readonly Plugin[];
  readonly ports: Pick<LinkPorts, 'places'>;
  readonly status: { readonly overload?: OpenedOverload };
}

/** Opens the protection against overload of the gateway file, if it has any. */
const openOverload = async (
  { environment: { settings }, services }: ConfigureServiceOptions,
  findService: () => GatewayService | undefined,
): Promise<OverloadParts> => {
  if (settings.overload === undefined) return { plugins: [], ports: {}, status: {} };
  const { linkPlaces } = await import('../engine/stages/target-places.ts');
  const opened = await services.overload({
    settings: settings.overload,
    heldMemory: () => {
      const budget = findService()?.memoryBudget;
      return budget === undefined ? 0 : budget.held / budget.limit;
    },
  });
  return {
    plugins: [opened.plugin],
    ports: { places: linkPlaces(opened, systemClock) },
    status: { overload: opened },
  };
};

/** The plugin that refuses labels of other values than the gateway file declares, where it says so of any. */
const openLabels = async ({ environment: { saved } }: ConfigureServiceOptions): Promise<readonly Plugin[]> => {
  const labels = saved.labels ?? {};
  if (Object.values(labels).every(({ enforce }) => enforce !== true)) return [];
  const { enforceLabels } = await import('../access/enforce-labels.ts');
  return [enforceLabels(labels)];
};

/** A gateway, and why it must be started again, beside what has changed on disk. */
export interface ConfiguredService {
  readonly service: GatewayService;
  /** The secrets of files, which may change while it runs. */
  readonly secrets: HeldSecrets;
  readonly restarts: ControlPlane['restarts'];
  /** Reads the slug of a workspace; absent without a store. */
  readonly findSlug?: ControlPlane['findSlug'] | undefined;
  /** The metrics of this process; undefined if they are off. */
  readonly metrics: ReadMetrics | undefined;
  /** Given if metrics have a port of their own. */
  readonly ownMetrics?: Required<Pick<MetricsSettings, 'own'>> & Pick<Metrics, 'read'>;
}

/** Collects the rules of the gateway file for requests of every kind. */
const requestRules = ({
  pass_through,
  pass_through_headers: passed,
  unknown_headers,
  on_loss,
  prompt_cache,
  ...settings
}: GatewayFile): Pick<
  GatewayServiceOptions,
  'passThrough' | 'passThroughHeaders' | 'unknownHeaders' | 'reading' | 'onLoss' | 'promptCache'
> => ({
  ...(pass_through === undefined ? {} : { passThrough: pass_through }),
  ...(passed === undefined ? {} : { passThroughHeaders: new Set(passed.map((name) => name.toLowerCase())) }),
  ...(unknown_headers === undefined ? {} : { unknownHeaders: unknown_headers }),
  reading: toReading(settings),
  ...(on_loss === undefined ? {} : { onLoss: on_loss }),
  ...(prompt_cache === undefined ? {} : { promptCache: prompt_cache }),
});

/** Where `/metrics` is one of the gateway's pages: what it shows, which of a worker are the metrics of all. */
const metricsPage = (
  metrics: Metrics | undefined,
  { counted, shared }: { readonly counted: MetricsSettings | undefined; readonly shared: SharedParts | undefined },
): Pick<GatewayServiceOptions, 'metrics'> =>
  metrics === undefined || counted?.own !== undefined ? {} : { metrics: shared?.metrics ?? metrics.read };

/** The whole gateway, except that it does not listen yet. Throws a `ServeFailure`. */
export const configureService = async (parts: ConfigureServiceOptions): Promise<ConfiguredService> => {
  const { options, environment, services, host, store, shared } = parts;
  const { settings, plugins } = environment;
  const { env, stdout, stderr } = services.io;
  const held = new HeldSecrets(env, () => parts.onSecretFile?.());
  const { read: secrets, version: secretsVersion } = held;
  refuseSinksAlone(environment, store);
  const keys = toServiceKeys(settings, secrets);
  const hasKeys = needsKey(settings, store !== undefined);
  checkExposure(host, options.open, hasKeys);
  const trustedHosts = servedTrustedHosts(settings, { env, host, hasStore: store !== undefined });
  let compiler: Promise<ServeCompiler> | undefined;
  const loadCompiler = (): Promise<ServeCompiler> => {
    compiler ??= services.compiler(environment);
    return compiler;
  };
  const source = await openSource(parts, loadCompiler);
  const lists = await openLists(environment);
  const spool = await openSpool(environment);
  const models = await fileModels(environment, loadCompiler);
  const egress = await openEgressRules(settings, { env, read: secrets });
  await refuseUnusableTls(environment, secrets);
  const logLine = (text: string): void => stderr(`gw: ${text}\n`);
  const upstreams = createUpstreams({ trustedHosts, clock: systemClock, secrets, egress, log: logLine });
  const ports = {
    clock: systemClock,
    chance: seededChance,
    breakers: shared?.breakers ?? createMemoryBreakers({ clock: systemClock }),
    upstreams,
    prices: createPrices(settings.prices),
  };
  const compileShares = new CompileShares(systemClock);
  const ownHttp = (): CheckHttp => checkHttp({ ports, deadlines: new Deadlines(systemClock), callerPlan: false });
  let service: GatewayService | undefined;
  const control =
    store === undefined
      ? undefined
      : await services.control({
          ...controlSettings(environment, secrets),
          url: store,
          closeMs: parts.closeMs,
          compiler: loadCompiler,
          compileShares,
          configNames: () => service?.generations.current.entries.keys() ?? [],
          findHostError: (baseUrl) => upstreams.findHostError?.(baseUrl),
          ...toSinkEgress(settings),
          trustedHosts,
          prices: ports.prices,
          owner: shared?.control,
          http: ownHttp(),
        });
  const logged = { clock: systemClock, write: stdout };
  const wanted = wantedLogs(env.GW_LOG);
  const log = [
    ...(wanted.has('requests') ? [(await import('../server/logs/request-log.ts')).requestLog(logged)] : []),
    ...(wanted.has('hooks') ? [(await import('../server/logs/hook-log.ts')).hookLog(logged)] : []),
  ];
  const alerts = await openAlerts({
    ...{ environment, services, shared, closeMs: parts.closeMs, secrets, http: ownHttp, log: logLine },
    facts: () => ({
      plans: service?.generations.status(),
      store: control?.storeStatus(),
      droppedLines: services.io.dropped?.() ?? 0,
    }),
    findSlug: control?.findSlug,
  });
  const overload = await openOverload(parts, () => service);
  const counted = metricsSettings(settings);
  const metrics =
    counted &&
    (await services.metrics({
      now: systemClock.monotonic,
      tokens: counted.tokens,
      inFlight: () => service?.generations.running ?? 0,
      droppedRecords: () => services.io.dropped?.() ?? 0,
      sinks: () => sinkStatus(control),
      ...alerts.status,
      ...overload.status,
    }));
  const telemetrySetting = telemetrySettings(settings, secrets);
  const observers = [
    ...(metrics === undefined ? [] : [metrics.plugin]),
    ...(telemetrySetting === undefined ? [] : [await services.telemetry({ ...telemetrySetting, log: logLine })]),
  ];
  const refusals =
    control === undefined && hasKeys
      ? [(await import('../server/logs/refusal-log.ts')).refusalLog({ write: stderr, clock: systemClock })]
      : [];
  const all = [
    ...plugins,
    ...(control === undefined ? [] : [control.plugin]),
    failureLog(stderr),
    ...refusals,
    ...observers,
    ...alerts.plugins,
    ...overload.plugins,
    ...(await openLabels(parts)),
    ...log,
  ];
  service = createService({
    ...(spool === undefined ? {} : { spool }),
    plugins: all,
    ...(needsPluginRoutes(all)
      ? { pluginRoutes: (await import('../control-routes/plugin-routes.ts')).createPluginRoutes }
      : {}),
    ports: { ...ports, ...overload.ports },
    stageCode: lateStages(),
    secrets,
    secretsVersion,
    loadCompiler: async () => {
      const { compileCaller } = await loadCompiler();
      return compileCaller;
    },
    compileShares,
    limits: toLimits(settings),
    open: options.open,
    log: logLine,
    savedProviders: environment.saved.providers,
    pricedModels: createPricedModels(settings.prices),
    modelCatalogue: lateModelCatalogue({ plugins, settings, readLists: lists?.read, now: systemClock.wall }),
    ...requestRules(settings),
    cache: {
      ...toCacheSettings(settings, {
        read: secrets,
        compile: async (text) => (await loadCompiler()).compileOperator(text, 'cache.semantic'),
      }),
      shared: shared?.cache,
      sharedVectors: shared?.vectors,
    },
    rememberedItems: shared?.rememberedItems,
    placeholderKey: shared?.placeholderKey,
    ...(settings.usage === undefined ? {} : { usage: settings.usage }),
    ...metricsPage(metrics, { counted, shared }),
    ...alerts.status,
    ...overload.status,
    ...(source === undefined ? {} : { source }),
    ...(models === undefined ? {} : { models }),
    identities: [
      ...(keys.length === 0 ? [] : [{ identify: followedKeys(parts, held, keys) }]),
      ...(control === undefined ? [] : [control.identities]),
    ],
    ...(control === undefined ? {} : await servedTenants(control, loadCompiler)),
    ...(settings.default_config === undefined ? {} : { defaultConfig: settings.default_config }),
  });
  return {
    service,
    metrics: metrics?.read,
    findSlug: control?.findSlug,
    secrets: held,
    restarts: async () => [...((await control?.restarts()) ?? []), ...unusedLists(await lists?.problem())],
    ...(metrics === undefined || counted?.own === undefined
      ? {}
      : { ownMetrics: { own: counted.own, read: metrics.read } }),
  };
};
