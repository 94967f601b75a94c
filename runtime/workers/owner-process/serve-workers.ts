import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import type { Vectors } from '../../../plugins/sdk/cache/vectors.ts';
import type { ControlOwner, OwnerStatus } from '../../../plugins/sdk/control-plane/control-link.ts';
import { consolePath } from '../../../plugins/sdk/route/route-path.ts';
import { greeting, metricsGreeting } from '../../cli/greeting.ts';
import { logRestarts } from '../../cli/reload/log-restarts.ts';
import { refreshPlugins } from '../../cli/reload/refresh-plugins.ts';
import { reloadOnChange } from '../../cli/reload/reload-on-change.ts';
import type { OwnerAlertOptions, OwnerAlerts } from '../../cli/services/alerts.ts';
import type { ServeServices } from '../../cli/services/serve-services.ts';
import type { ControlOwnerOptions, WorkersOptions } from '../../cli/services/workers.ts';
import { folderFailure, listenFailure, metricsClash, metricsListenFailure } from '../../cli/settings/serve-failure.ts';
import { metricsSettings } from '../../cli/settings/telemetry-settings.ts';
import { wantedLogs } from '../../cli/settings/wanted-logs.ts';
import type { PlanSource } from '../../file-plans/plan-source.ts';
import { systemClock } from '../../in-memory/system-clock.ts';
import type { HandedFiles } from '../calls.ts';
import { bindHandle } from './listening-handle.ts';
import { OncePrinted } from './once-printed.ts';
import { openOwnerAlerts } from './open-owner-alerts.ts';
import { openOwnerControl } from './open-owner-control.ts';
import { PrintedByAll } from './printed-by-all.ts';
import { readMetricsOf } from './read-metrics.ts';
import { readReadiness } from './read-readiness.ts';
import { refuseUnshared } from './refuse-unshared.ts';
import { ReloadTogether } from './reload-together.ts';
import { SharedState } from './shared-state.ts';
import { untilOwnerStops } from './until-owner-stops.ts';
import { WorkerProcess } from './worker-process.ts';
import { Workers } from './workers.ts';

export interface ServeWorkersOptions extends WorkersOptions {
  readonly services: ServeServices;
  /** Starts a process that serves as a worker with these arguments. */
  readonly fork: (argv: readonly string[]) => ChildProcess;
  /** Creates the in-memory store for answers. */
  readonly createCache: (options: { readonly maxBytes: number }) => ResponseCache;
  /** Creates the in-memory store for vectors. */
  readonly createVectors: (options: { readonly maxBytes: number }) => Vectors;
  /** Opens the alerts of all workers. */
  readonly openAlerts: (options: OwnerAlertOptions) => Promise<OwnerAlerts>;
  /** Opens the parts of the store that all workers share. Throws a `ServeFailure`. */
  readonly openControl: (options: ControlOwnerOptions) => Promise<ControlOwner>;
}

/** No request of a check takes this long. */
const isolatedMs = 3_600_000;

const defaultCacheBytes = 64 * 1024 * 1024;

/** Opens the folder that the workers serve. This process only reads it. Undefined if they serve none. */
const openFolder = async ({
  options,
  environment,
  services,
}: ServeWorkersOptions): Promise<Pick<PlanSource, 'folder' | 'read'> | undefined> => {
  const { settings, file } = environment;
  const compilesNothing = (): never => {
    throw new TypeError('Only workers compile plans.');
  };
  if (options.plans !== undefined) {
    const { plansFolder } = await import('../../file-plans/plans-folder.ts');
    return plansFolder(resolve(services.io.cwd, options.plans), compilesNothing);
  }
  if (settings.configs === undefined || file === undefined) return undefined;
  const { configsFolder } = await import('../../file-plans/configs-folder.ts');
  return configsFolder(resolve(dirname(file), settings.configs), compilesNothing);
};

const readFirst = async (
  source: Pick<PlanSource, 'folder' | 'read'> | undefined,
  isCompiled: boolean,
): Promise<HandedFiles> => {
  if (source === undefined) return [];
  return source.read().catch((error: unknown) => {
    throw folderFailure(error, source.folder, isCompiled ? '--plans' : '"configs" in the gateway file');
  });
};

/**
 * Serves with several processes until the gateway is stopped, and resolves to the exit code. This process serves no requests: it
 * holds the port and the shared state, and starts, replaces and stops the workers. Undefined, without doing anything, if there is
 * work for only one.
 */
export const serveWorkers = async (given: ServeWorkersOptions): Promise<number | undefined> => {
  const { environment, address, services, argv, options, drainMs } = given;
  const { settings, source: gatewayFile } = environment;
  const { io } = services;
  const count = given.wanted === 'auto' ? availableParallelism() : given.wanted;
  if (count === 1) return undefined;
  refuseUnshared(given, count);
  const own = metricsSettings(settings)?.own;
  const clash = own === undefined ? undefined : metricsClash(own, address);
  if (clash !== undefined) throw clash;
  const clock = systemClock;
  const log = (text: string): void => io.stderr(`gw: ${text}\n`);
  const source = await openFolder(given);
  const first = await readFirst(source, options.plans !== undefined);
  const handle = await bindHandle(address).catch((error: unknown) => {
    throw listenFailure(error, address);
  });
  /** Until there are workers, nothing waits to be sent. */
  let drainLeftMs = (): number => 0;
  const closeMs = (): number => drainLeftMs();
  const closed = (error: unknown): never => {
    handle.close();
    throw error;
  };
  const control = await openOwnerControl({ ...given, io, open: given.openControl, closeMs }).catch(closed);
  const owned = (): OwnerStatus => control?.status() ?? { sinks: [] };
  const alerts = await openOwnerAlerts({
    ...{ ...given, io, log, open: given.openAlerts },
    workers: () => workers.serving,
    owned,
    closeMs,
  }).catch(async (error: unknown) => {
    await control?.close();
    return closed(error);
  });
  const isolation = environment.isolated.length === 0 ? undefined : await environment.isolationOwner?.();
  const failed = Promise.withResolvers<string>();
  const printed = new OncePrinted();
  const printedByAll = new PrintedByAll();
  const servingIds = (): readonly number[] => workers.serving.map(({ id }) => id);
  const shared = new SharedState({
    clock,
    cache: given.createCache({ maxBytes: settings.cache?.max_bytes ?? defaultCacheBytes }),
    vectors: given.createVectors({ maxBytes: settings.cache?.semantic?.max_bytes ?? defaultCacheBytes }),
    workers: () => workers.running,
  });
  const reloads = new ReloadTogether({
    source: source ?? { folder: '', read: async () => [] },
    workers: () => workers.serving,
    first,
  });
  let restart: readonly string[] = [];
  const readiness = readReadiness({
    workers: () => workers,
    facts: () => ({
      reason: reloads.reason,
      restart,
      isDraining: workers.isStopping,
      alerts: alerts?.status(),
      owned: owned(),
    }),
  });
  const metrics = readMetricsOf(() => workers.running, { io, alerts: () => alerts?.status() ?? [], owned });
  const workers: Workers = new Workers({
    ...{ count, clock, drainMs, log },
    start: (id) =>
      new WorkerProcess({
        child: given.fork(argv),
        ...{ clock, handle: handle.handle },
        seat: {
          worker: id,
          workers: count,
          ...shared.join(id),
          gatewayFile,
          ...(source === undefined ? {} : { files: reloads.committed }),
        },
        calls: (worker) => ({
          ...shared.calls(id),
          control: (question) => control?.answer(id, question),
          isolated: (question) =>
            isolation?.answer(id, question, (request) => worker.channel.ask('isolated', request, isolatedMs)),
          alerts: (news) => alerts?.receive(id, news),
          print: ({ to, text, once = false, state }) => {
            const isDue =
              state === undefined
                ? !once || printed.isNew(id, text)
                : printedByAll.isDue(id, { text, state }, servingIds());
            if (isDue) io[to === 'out' ? 'stdout' : 'stderr'](text);
          },
          wholeReadiness: (own) => readiness(worker, own),
          wholeMetrics: () => metrics.read(),
          restarts: (reasons) => {
            worker.restarts = reasons;
          },
          relink: async () => {
            await reloads.reload(true).catch(() => {});
          },
          leaves: (page) => metrics.keep(worker, page),
        }),
      }),
    admit: (worker, listens, admitted) => reloads.admit(worker, listens, admitted),
    left: (worker) => {
      shared.leave(worker.id);
      control?.leave(worker.id);
      alerts?.leave(worker.id);
      isolation?.leave(worker.id);
      printed.forget(worker.id);
      for (const text of printedByAll.forget(worker.id, servingIds())) io.stderr(text);
      metrics.forget(worker);
    },
    failed: (reason) => failed.resolve(reason),
  });
  drainLeftMs = () => workers.drainLeftMs;
  // Workers that start read everything, so there is nothing to reload or to replace yet.
  const stopIgnoring = io.onSignal(() => {}, ['SIGHUP', 'SIGUSR2']);
  try {
    const { plans, sample } = await workers.start();
    const stops = untilOwnerStops({ workers, io, handle, failed: failed.promise });
    if (own !== undefined) {
      const { startMetricsServer } = await import('../../server/node-http/metrics-server.ts');
      const server = await startMetricsServer({ ...own, read: metrics.page }).catch((error: unknown) => {
        throw metricsListenFailure(error, own);
      });
      log(metricsGreeting({ host: own.host, port: server.port }));
      void stops.ended.finally(() => server.close());
    }
    const stopReloading =
      source === undefined
        ? () => {}
        : reloadOnChange(
            {
              folder: source.folder,
              get current() {
                return { number: reloads.generation };
              },
              reload: ({ relink = false } = {}) => reloads.reload(relink),
              status: () => (reloads.missing === undefined ? {} : { reason: reloads.missing }),
            },
            services,
            environment,
          );
    const stopRefreshing = refreshPlugins({
      generations: {
        reload: async ({ relink = false } = {}) => reloads.reload(relink),
        status: () => ({ refused: reloads.refused }),
      },
      isolated: given.refreshed,
      services,
      environment,
    });
    const stopLogging = logRestarts({
      generations: {
        noteRestart: (reasons) => {
          restart = reasons;
        },
      },
      io,
      reasons: async () => [
        ...(await given.changedSince()),
        ...new Set(workers.serving.flatMap((worker) => worker.restarts)),
      ],
    });
    const say = wantedLogs(io.env.GW_LOG).size > 0 ? io.stderr : io.stdout;
    say(
      greeting({
        host: address.host,
        port: handle.port,
        settings,
        plans,
        sample,
        consolePath: given.store === undefined ? undefined : consolePath,
        workers: count,
      }),
    );
    void stops.begun.then(() => {
      stopReloading();
      stopRefreshing();
    });
    const code = await stops.ended;
    stopLogging();
    return code;
  } catch (error) {
    workers.end();
    handle.close();
    throw error;
  } finally {
    stopIgnoring();
    // Queued messages are sent at the same time, so that neither uses up the other's remaining time.
    await Promise.all([alerts?.close(), control?.close()]);
    isolation?.close();
  }
};
