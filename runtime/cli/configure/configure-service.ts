import type { SinkStatus } from '../../../plugins/sdk/control-plane/store-status.ts';
import type { Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { GatewayFile } from '../../../schema/generated/gateway-file.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { type ServiceKey, serviceKeys } from '../../access/service-keys.ts';
import { Deadlines } from '../../async/deadlines.ts';
import { checkHttp } from '../../engine/guardrail-checks/check-http.ts';
import { lateStages } from '../../engine/stages/late-stages.ts';
import type { Acceptance } from '../../http/accept/acceptance.ts';
import { createMemoryBreakers } from '../../in-memory/memory-breakers.ts';
import { seededChance } from '../../in-memory/seeded-chance.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import { lateModelCatalogue } from '../../model-catalogue/late-model-catalogue.ts';
import { failureLog } from '../../server/logs/failure-log.ts';
import {
  createService,
  type GatewayService,
  type GatewayServiceOptions,
  needsPluginRoutes,
} from '../../server/service.ts';
import type { ReadMetrics } from '../../status-pages/metrics-page.ts';
import { CompileShares } from '../../tenant-plans/compile-shares.ts';
import { createUpstreams } from '../../upstream/upstreams.ts';
import { createPrices } from '../../usage/prices/create-prices.ts';
import type { ControlPlane } from '../services/control-plane.ts';
import type { ServeCompiler } from '../services/serve-environment.ts';
import type { SharedParts } from '../services/shared-parts.ts';
import type { Metrics, MetricsOptions } from '../services/telemetry.ts';
import { controlSettings, refuseSinksAlone, toSinkEgress } from '../settings/control-settings.ts';
import type { ReadEnvironment } from '../settings/read-environment.ts';
import { HeldSecrets, type SecretReader } from '../settings/secret-reader.ts';
import { ServeFailure } from '../settings/serve-failure.ts';
import type { ServeOptions } from '../settings/serve-options.ts';
import { type MetricsSettings, metricsSettings, telemetrySettings } from '../settings/telemetry-settings.ts';
import { toCacheSettings } from '../settings/to-cache-settings.ts';
import { checkExposure, needsKey, servedTrustedHosts, toServiceKeys } from '../settings/to-service-keys.ts';
import { wantedLogs } from '../settings/wanted-logs.ts';
import { openEgressRules } from './command-calls.ts';
import type { ConfigureServiceOptions } from './configure-service-options.ts';
import type { AlertParts, OpenedAlerts } from './open-alerts.ts';
import type { OverloadParts } from './open-overload.ts';
import { fileModels, openLists, openSource, openSpool, toLimits, unusedLists } from './own-files.ts';
import { requestRules } from './request-rules.ts';

/** Identifies callers by the current service keys. The previous keys stay valid if the new ones cannot be used. */
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
        services.io.stderr(`gw: ${errorText(error)} The previous keys stay in use.\n`);
      }
    }
    return identify(presented);
  };
};

/** Throws a `ServeFailure` if the host of a saved provider cannot be called. */
const refuseUnusableTls = async ({ saved, settings }: ReadEnvironment, read: SecretReader): Promise<void> => {
  const all = [...Object.values(saved.providers), ...Object.values(saved.virtualKeys)];
  if (all.every(({ tls }) => tls === undefined)) return;
  const { findUnusableTls } = await import('../settings/find-unusable-tls.ts');
  const [first] = findUnusableTls(settings, read);
  if (first !== undefined) throw new ServeFailure(`${first.where}: ${first.message} ${first.hint}`);
};

/** Returns the status of the log's receivers, or nothing without a store. */
const sinkStatus = (control: ControlPlane | undefined): readonly SinkStatus[] =>
  control?.storeStatus().log?.sinks ?? [];

/** Returns the status of the store for metrics, or nothing without a store. */
const storeMetrics = async (control: ControlPlane | undefined): Promise<Pick<MetricsOptions, 'unavailableParts'>> => {
  if (control === undefined) return {};
  const { unavailableParts } = await import('../../status-pages/unavailable-parts.ts');
  return { unavailableParts: () => unavailableParts(control.storeStatus(), systemClock) };
};

const alertsOf = async (alerts: GatewayFile['alerts'], parts: Omit<AlertParts, 'settings'>): Promise<OpenedAlerts> => {
  if (alerts === undefined) return { plugins: [], status: {} };
  const { openAlerts } = await import('./open-alerts.ts');
  return openAlerts({ ...parts, settings: alerts });
};

const overloadOf = async (
  parts: ConfigureServiceOptions,
  findService: () => GatewayService | undefined,
): Promise<OverloadParts> => {
  const { overload } = parts.environment.settings;
  if (overload === undefined) return { plugins: [], ports: {}, status: {} };
  const { openOverload } = await import('./open-overload.ts');
  return openOverload(overload, parts, findService);
};

/** Loads how clients of other gateways are served, only if some are accepted. */
const openAccept = async (
  { accept = [] }: GatewayFile,
  options: Pick<ServeOptions, 'accept'>,
): Promise<Acceptance | undefined> => {
  if (![...accept, ...(options.accept ?? [])].includes('portkey')) return undefined;
  const { acceptPortkey } = await import('../../http/accept/accept-portkey.ts');
  return acceptPortkey();
};

/** Returns the plugin that refuses labels with values that the gateway file does not declare, if it restricts any. */
const openLabels = async ({ environment: { saved } }: ConfigureServiceOptions): Promise<readonly Plugin[]> => {
  const labels = saved.labels ?? {};
  if (Object.values(labels).every(({ enforce }) => enforce !== true)) return [];
  const { enforceLabels } = await import('../../access/enforce-labels.ts');
  return [enforceLabels(labels)];
};

/** A gateway, and why it must be restarted, apart from what has changed on disk. */
export interface ConfiguredService {
  readonly service: GatewayService;
  /** The secrets in files, which may change while the gateway runs. */
  readonly secrets: HeldSecrets;
  readonly restarts: ControlPlane['restarts'];
  /** Returns the slug of a workspace. Absent without a store. */
  readonly findSlug?: ControlPlane['findSlug'] | undefined;
  /** The metrics of this process. Undefined if they are off. */
  readonly metrics: ReadMetrics | undefined;
  /** Set if metrics have their own port. */
  readonly ownMetrics?: Required<Pick<MetricsSettings, 'own'>> & Pick<Metrics, 'read'>;
}

/** Returns what `/metrics` shows if it is one of the gateway's pages. For a worker, these are the metrics of all workers. */
const metricsPage = (
  metrics: Metrics | undefined,
  { counted, shared }: { readonly counted: MetricsSettings | undefined; readonly shared: SharedParts | undefined },
): Pick<GatewayServiceOptions, 'metrics'> =>
  metrics === undefined || counted?.own !== undefined ? {} : { metrics: shared?.metrics ?? metrics.read };

/** Configures the whole gateway, except that it does not listen yet. Throws a `ServeFailure`. */
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
          rules: requestRules(settings),
          listCircuits: (tenant) => ports.breakers.list?.(tenant) ?? [],
          owner: shared?.control,
          announce: shared?.announce ?? stderr,
          http: checkHttp({ ports, deadlines: new Deadlines(systemClock), callerPlan: false }),
          connector: (origin) => upstreams.connector(origin),
        });
  const logged = { clock: systemClock, write: stdout };
  const wanted = wantedLogs(env.GW_LOG);
  const log = [
    ...(wanted.has('requests') ? [(await import('../../server/logs/request-log.ts')).requestLog(logged)] : []),
    ...(wanted.has('hooks') ? [(await import('../../server/logs/hook-log.ts')).hookLog(logged)] : []),
  ];
  const alerts = await alertsOf(settings.alerts, {
    ...{ services, shared, closeMs: parts.closeMs, secrets, upstreams, log: logLine },
    facts: () => ({
      plans: service?.generations.status(),
      store: control?.storeStatus(),
      droppedLines: services.io.dropped?.() ?? 0,
    }),
    findSlug: control?.findSlug,
  });
  const overload = await overloadOf(parts, () => service);
  const counted = metricsSettings(settings);
  const metrics =
    counted &&
    (await services.metrics({
      now: systemClock.monotonic,
      tokens: counted.tokens,
      inFlight: () => service?.generations.running ?? 0,
      droppedRecords: () => services.io.dropped?.() ?? 0,
      sinks: () => sinkStatus(control),
      ...(await storeMetrics(control)),
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
      ? [(await import('../../server/logs/refusal-log.ts')).refusalLog({ write: stderr, clock: systemClock })]
      : [];
  const all = [
    ...plugins,
    ...(control === undefined ? [] : [control.plugin]),
    failureLog(stderr, systemClock),
    ...refusals,
    ...observers,
    ...alerts.plugins,
    ...overload.plugins,
    ...(await openLabels(parts)),
    ...log,
  ];
  service = createService({
    spool,
    plugins: all,
    ...(needsPluginRoutes(all)
      ? { pluginRoutes: (await import('../../control-routes/plugin-routes.ts')).createPluginRoutes }
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
    savedVirtualKeys: environment.saved.virtualKeys,
    modelCatalogue: lateModelCatalogue({ plugins, settings, readLists: lists?.read, now: systemClock.wall }),
    ...requestRules(settings),
    accept: await openAccept(settings, options),
    cors: settings.cors && (await import('../../server/cross-origin.ts')).createCrossOrigin(settings.cors),
    checkHeaders:
      settings.unsaved_routing === 'refuse'
        ? (await import('../../http/headers/refuse-unsaved.ts')).refuseUnsaved
        : undefined,
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
    usage: settings.usage,
    ...metricsPage(metrics, { counted, shared }),
    ...alerts.status,
    ...overload.status,
    source,
    models,
    identities: [
      ...(keys.length === 0 ? [] : [{ identify: followedKeys(parts, held, keys) }]),
      ...(control === undefined ? [] : [control.identities]),
    ],
    ...(control === undefined ? {} : await (await import('./served-tenants.ts')).servedTenants(control, loadCompiler)),
    defaultConfig: settings.default_config,
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
