import { dirname } from 'node:path';
import { consolePath } from '../../plugins/sdk/route/route-path.ts';
import { fileEndings } from '../../schema/config/file-names.ts';
import { placeholderSecret } from '../../schema/config/saved.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { toTrustedHosts, unusableHosts } from '../../schema/http/is-trusted.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { PluginError } from '../engine/plugins/plugin-error.ts';
import { systemClock } from '../in-memory/system-clock.ts';
import { type GatewayServer, startGatewayServer } from '../server/node-http/gateway-server.ts';
import type { MetricsServer } from '../server/node-http/metrics-server.ts';
import type { GatewayService } from '../server/service.ts';
import { type ConfiguredService, configureService } from './configure/configure-service.ts';
import type { ConfigureServiceOptions } from './configure/configure-service-options.ts';
import { greeting, metricsGreeting } from './greeting.ts';
import type { SecretsWatch } from './reload/follow-secrets.ts';
import { rememberLoaded } from './reload/loaded-files.ts';
import { logRestarts } from './reload/log-restarts.ts';
import { refreshPlugins } from './reload/refresh-plugins.ts';
import { reloadOnChange } from './reload/reload-on-change.ts';
import { reportDiagnostics, startRemedy } from './reload/report-diagnostics.ts';
import { toSampleRequest } from './sample-request.ts';
import type { IsolatedPart } from './services/serve-environment.ts';
import type { ServeIo, ServeServices, ServeSignal } from './services/serve-services.ts';
import { findStore, hasStore } from './settings/control-settings.ts';
import { type ReadEnvironment, readEnvironment } from './settings/read-environment.ts';
import { secretReader } from './settings/secret-reader.ts';
import {
  folderFailure,
  listenFailure,
  metricsClash,
  metricsListenFailure,
  ServeFailure,
} from './settings/serve-failure.ts';
import {
  type Address,
  parseServeOptions,
  type ServeOptions,
  serveSpec,
  toAddress,
  UsageError,
  workerCount,
} from './settings/serve-options.ts';
import { uncountedKeys } from './settings/to-service-keys.ts';
import { unsetSecrets } from './settings/unset-secrets.ts';
import { unknownLogs, wantedLogs } from './settings/wanted-logs.ts';
import type { ListenerTls } from './tls/open-tls.ts';
import { untilStopped } from './until-stopped.ts';

// For commands that call providers as a gateway does. In its own file, each part would be one more for a start to load.
export type { ServeServices } from './services/serve-services.ts';

const defaultDrainMs = 30_000;
/** Long enough for a load balancer that probes every two seconds and needs two failures. */
const defaultDrainDelayMs = 5000;
/** The longest wait for the end of the log to be read. */
export const maxFlushMs = 2000;
/** The part of the drain time that the gateway's own end takes. */
export const ownCloseMs = 1000;

const nothingReplaced =
  'SIGUSR2 replaces workers, but this gateway has none, so nothing changes. Restart it to load new code.';

/** Warns of secrets that still have the placeholder of an example. The gateway starts, but providers refuse them. */
const warnOfPlaceholders = async (
  { generations }: GatewayService,
  { services: { io }, environment }: Pick<ConfigureServiceOptions, 'services' | 'environment'>,
): Promise<void> => {
  if (!Object.values(io.env).includes(placeholderSecret)) return;
  const { findPlaceholders } = await import('./settings/find-placeholders.ts');
  for (const { what, remedy } of findPlaceholders(generations.current, environment, secretReader(io.env)))
    io.stderr(`gw: ${what} ${remedy}\n`);
};

/** At startup there is no last good plan to keep, so a file with errors prevents the start. */
export const loadPlans = async (
  service: GatewayService,
  { options, services, environment }: Pick<ConfigureServiceOptions, 'options' | 'services' | 'environment'>,
): Promise<void> => {
  const { generations } = service;
  const { folder = '' } = generations;
  const wanted = environment.settings.default_config;
  const isCompiled = options.plans !== undefined;
  const reported = await generations.reload().catch((error: unknown) => {
    throw folderFailure(error, folder, isCompiled ? '--plans' : '"configs" in the gateway file');
  });
  if (await reportDiagnostics(reported, services, environment))
    throw new ServeFailure(`Some plans cannot be served. ${startRemedy(reported)}`);
  const served = [...generations.current.entries.keys()];
  const isEmpty = folder !== '' && served.length === 0;
  if (isEmpty && isCompiled)
    services.io.stderr(
      `gw: There is no plan (*.plan.json) in ${folder}. Create one: gw compile CONFIGS --out ${options.plans}\n`,
    );
  if ((wanted !== undefined && !served.includes(wanted)) || generations.current.models.size > 0) {
    const { refuseUnknownConfigs } = await import('./settings/refuse-unknown-configs.ts');
    await refuseUnknownConfigs(generations, environment, services);
  }
  // If a served config named one of them, the start has already failed.
  for (const line of await unsetSecrets(environment, secretReader(services.io.env))) services.io.stderr(`${line}\n`);
  await warnOfPlaceholders(service, { services, environment });
  if (!isEmpty || isCompiled) return;
  const endings = fileEndings.map((ending) => `*${ending}`).join(', ');
  services.io.stderr(
    `gw: There is no config (${endings}) in ${folder} yet. The gateway serves a config as soon as it is added.\n`,
  );
};

export const open = async (parts: ConfigureServiceOptions): Promise<ConfiguredService> => {
  try {
    return await configureService(parts);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    throw new ServeFailure(`${error.message} Correct the plugin, or remove it from the gateway file.`);
  }
};

/** Reads the certificate of the listener, if it has one. */
export const openListenerTls = async (
  { settings, file }: ReadEnvironment,
  { io }: ServeServices,
): Promise<ListenerTls | undefined> => {
  const { tls } = settings.listen ?? {};
  if (tls === undefined || file === undefined) return undefined;
  const { openTls } = await import('./tls/open-tls.ts');
  return openTls({ settings: tls, place: { folder: dirname(file), env: io.env }, io, clock: systemClock });
};

const start = (
  service: GatewayService,
  { host, port }: Address,
  { io, secure }: Pick<ServeServices, 'io'> & { readonly secure: ListenerTls | undefined },
): Promise<GatewayServer> =>
  startGatewayServer({
    ...{ host, port, service, clock: systemClock, secure: secure?.open },
    log: (text) => io.stderr(`gw: ${text}\n`),
  }).catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });

/** Starts the separate port for metrics, if there is one. */
const startMetrics = async (
  { ownMetrics }: ConfiguredService,
  address: Address,
  { stderr }: ServeIo,
): Promise<MetricsServer | undefined> => {
  if (ownMetrics === undefined) return undefined;
  const { own, read } = ownMetrics;
  const clash = metricsClash(own, address);
  if (clash !== undefined) throw clash;
  const { startMetricsServer } = await import('../server/node-http/metrics-server.ts');
  const server = await startMetricsServer({ ...own, read }).catch((error: unknown) => {
    throw metricsListenFailure(error, own);
  });
  stderr(`gw: ${metricsGreeting({ host: own.host, port: server.port })}\n`);
  return server;
};

/**
 * Returns the isolated plugins that are loaded again when they change. None for compiled plans, which are for the files that they
 * were compiled with.
 */
const refreshedParts = ({ isolated }: ReadEnvironment, { plans }: ServeOptions): readonly IsolatedPart[] =>
  plans === undefined ? isolated : [];

/** Remembers the files that no reload reads again, and reports which of them have changed. */
const rememberOnce = async (
  { file, pluginFiles }: ReadEnvironment,
  { io }: ServeServices,
  refreshed: readonly IsolatedPart[],
): Promise<() => Promise<readonly string[]>> => {
  const gatewayFile = file === undefined ? [] : [{ what: 'The gateway file', files: [file] }];
  const parts = (await pluginFiles()).filter(({ isIsolated }) => isIsolated !== true || refreshed.length === 0);
  const changed = await rememberLoaded([...gatewayFile, ...parts], (path) => io.readFile(path));
  return async () => [...(await changed()), ...refreshed.flatMap(({ problem }) => problem ?? [])];
};

/** Follows secrets in files once there are some and the gateway serves. SIGHUP reads them immediately. */
export const followLater = ({ io }: ServeServices, settings: GatewayFile) => {
  let configured: ConfiguredService | undefined;
  let hasFiles = false;
  let watching: Promise<SecretsWatch> | undefined;
  let isStopped = false;
  const start = async ({ secrets, service: { generations } }: ConfiguredService): Promise<SecretsWatch> => {
    const [{ followSecrets }, { listUsedOnce }] = await Promise.all([
      import('./reload/follow-secrets.ts'),
      import('./settings/list-references.ts'),
    ]);
    return followSecrets({
      usedOnce: listUsedOnce(settings),
      secrets,
      clock: systemClock,
      log: (text, state) => io.stderr(`gw: ${text}\n`, state),
      // The watch of the folder reports what cannot be read.
      appeared: () => void generations.reload({ relink: true }).catch(() => {}),
    });
  };
  const startIfNeeded = (): void => {
    if (configured === undefined || !hasFiles || isStopped) return;
    watching ??= start(configured);
  };
  const readAgain = (signal: ServeSignal): void => {
    if (signal === 'SIGHUP') for (const path of configured?.secrets.files() ?? []) configured?.secrets.readAgain(path);
  };
  // A gateway that is starting does not drain, so the other signals end it.
  const stopSignals = io.onSignal(readAgain, ['SIGHUP']);
  return {
    begin: (): void => {
      hasFiles = true;
      startIfNeeded();
    },
    serving: (service: ConfiguredService): void => {
      configured = service;
      startIfNeeded();
    },
    restarts: async (): Promise<readonly string[]> => (await watching)?.restarts() ?? [],
    stop: (): void => {
      isStopped = true;
      stopSignals();
      void watching?.then((watch) => watch.stop());
    },
  };
};

export const isFlushed = (io: ServeIo, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const stop = systemClock.after(ms, () => resolve(false));
    void io.flushed().then(() => {
      stop();
      resolve(true);
    });
  });

/** Returns how long a gateway drains, and how much of that at the beginning it still answers new connections, in milliseconds. */
export const drainTimes = (
  { drainMs, drainDelayMs }: ServeOptions,
  { limits }: GatewayFile,
  { isTerminal }: Pick<ServeIo, 'isTerminal'>,
): { readonly drainMs: number; readonly drainDelayMs: number } => ({
  drainMs: drainMs ?? limits?.drain_ms ?? defaultDrainMs,
  drainDelayMs: drainDelayMs ?? limits?.drain_delay_ms ?? (isTerminal === true ? 0 : defaultDrainDelayMs),
});

/** Returns a message if the first part of the drain time was set longer than the whole. Empty if it was not set, or fits. */
const tooLongDelay = (
  { drainDelayMs }: ServeOptions,
  { limits }: GatewayFile,
  { drainMs }: { readonly drainMs: number },
): readonly string[] => {
  const delay = drainDelayMs ?? limits?.drain_delay_ms ?? 0;
  const name = drainDelayMs === undefined ? '"limits.drain_delay_ms"' : '--drain-delay-ms';
  return delay <= drainMs
    ? []
    : [
        `${name} is ${delay} ms, but the gateway drains for only ${drainMs} ms: new connections are answered until it ends, and requests that are still running are then aborted. Set a smaller ${name}, or a larger --drain-ms.`,
      ];
};

/** Resolves to the exit code. */
const run = async (argv: readonly string[], options: ServeOptions, services: ServeServices): Promise<number> => {
  const { io } = services;
  const environment = await readEnvironment(options, services);
  const { settings } = environment;
  const refreshed = refreshedParts(environment, options);
  const changedSince = await rememberOnce(environment, services, refreshed);
  const address = toAddress(options, settings.listen, io.env);
  const times = drainTimes(options, settings, io);
  const facts = [
    ...unknownLogs(io.env.GW_LOG),
    ...unusableHosts(toTrustedHosts(io.env.GW_TRUSTED_HOSTS, settings, false)),
    ...uncountedKeys(settings, hasStore(options, settings)),
    ...tooLongDelay(options, settings, times),
  ];
  for (const fact of facts) io.stderr(`gw: ${fact}\n`);
  if (settings.proxy === undefined && Object.keys(io.env).some((name) => /_proxy$/i.test(name))) {
    const { findUnusedProxy } = await import('./settings/find-unused-proxy.ts');
    const unused = findUnusedProxy(io.env);
    if (unused !== undefined) io.stderr(`gw: ${unused.names.join(', ')}: ${unused.what} ${unused.remedy}\n`);
  }
  const store = findStore(options, environment, { cwd: io.cwd, read: secretReader(io.env) });
  const wanted = workerCount(options, settings);
  if (wanted !== 1) {
    const ended = await services.workers({
      ...times,
      wanted,
      argv,
      options,
      environment,
      address,
      store,
      changedSince,
      refreshed,
    });
    if (ended !== undefined) return ended;
  }
  io.onSignal(
    (signal) => {
      if (signal === 'SIGUSR2') io.stderr(`gw: ${nothingReplaced}\n`);
    },
    ['SIGUSR2'],
  );
  const secure = await openListenerTls(environment, services);
  const secretFiles = followLater(services, settings);
  let endsAt: number | undefined;
  const configured = await open({
    options,
    environment,
    services,
    host: address.host,
    onSecretFile: secretFiles.begin,
    closeMs: () => Math.max(0, (endsAt ?? Number.NEGATIVE_INFINITY) - systemClock.monotonic() - ownCloseMs),
    ...(store === undefined ? {} : { store }),
  });
  const { service, restarts } = configured;
  await loadPlans(service, { options, services, environment });
  const metrics = await startMetrics(configured, address, io);
  const listening = await start(service, address, { io, secure });
  service.start();
  const { generations } = service;
  secretFiles.serving(configured);
  const stopFollowing = secure?.follow();
  const stopReloading = reloadOnChange(generations, services, environment);
  const stopRefreshing = refreshPlugins({ generations, isolated: refreshed, services, environment });
  const reasons = async () => [...(await changedSince()), ...(await restarts()), ...(await secretFiles.restarts())];
  const stopLogging = logRestarts({ generations, io, reasons });
  const stopped = untilStopped({
    listening,
    io,
    ...times,
    reloads: [generations.folder, secure, environment.file, store].some((read) => read !== undefined),
    endsAtSecond: true,
    clock: systemClock,
  });
  // A process that waits for the greeting may send a signal right after it.
  const { entries } = generations.current;
  // With a request log, stdout is for machines.
  const say = wantedLogs(io.env.GW_LOG).size > 0 ? io.stderr : io.stdout;
  say(
    greeting({
      ...{ host: address.host, port: listening.port, settings, plans: [...entries.keys()] },
      sample: toSampleRequest(generations.current, settings),
      consolePath: store === undefined ? undefined : consolePath,
    }),
  );
  const { leftMs, stopListening } = await stopped;
  secretFiles.stop();
  stopFollowing?.();
  endsAt = systemClock.monotonic() + leftMs;
  stopReloading();
  stopRefreshing();
  stopLogging();
  metrics?.close();
  await service.gateway.close();
  // Unread output would keep the process alive.
  if (!(await isFlushed(io, Math.min(leftMs, maxFlushMs)))) io.exit(0);
  stopListening();
  return 0;
};

/**
 * Runs `gw serve`: runs the gateway until it is stopped. Exit codes: 0 if it was stopped, 1 if it could not start, 2 if the
 * command line is not valid.
 */
export const serve = async (services: ServeServices, argv: readonly string[]): Promise<number> => {
  const { io } = services;
  try {
    const options = parseServeOptions(argv);
    if (!options.help) return await run(argv, options, services);
    const { commandHelp } = await import('../../schema/command-help/command-help.ts');
    io.stdout(commandHelp(serveSpec));
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    // If rethrown, the error would be reported as an unhandled promise, with the exit code 0.
    io.stderr(`gw: ${errorText(error)}${isUsage ? ' See gw serve --help.' : ''}\n`);
    return isUsage ? 2 : 1;
  }
};
