import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import type { Spawner } from '../plugins/host/isolation/spawning/spawner.ts';
import type { ReadConsolePage } from '../plugins/sdk/control-plane/console-pages.ts';
import { ownModule } from '../plugins/sdk/loading/own-module.ts';
import type { ServeServices } from '../runtime/cli/services/serve-services.ts';
import { builtinEnvironment } from './environment/builtin-environment.ts';
import type { ReplayLogged } from './replay/replay-logged.ts';
import { serveIo } from './serve-io.ts';
import { serveOutputs } from './serve-outputs.ts';
import { logUnhandledRejections } from './unhandled-rejections.ts';

/** Windows has no sockets that one process can pass to another, and cannot start a process by copying memory. */
const launcher = async (): Promise<Spawner | undefined> =>
  process.platform === 'win32'
    ? undefined
    : (await import('../plugins/host/isolation/launcher/launcher.ts')).createLauncher();

/** Errors of our own plugins whose packages the operator installs. */
const missingPackage: ReadonlySet<string> = new Set(['MissingPackage']);

/** Turns errors with these names, whose messages are sentences for the operator, into failures to start. */
const failedToServe =
  (names: ReadonlySet<string>) =>
  async (error: unknown): Promise<never> => {
    const { ServeFailure } = await import('../runtime/cli/settings/serve-failure.ts');
    throw error instanceof Error && names.has(error.name) ? new ServeFailure(error.message) : error;
  };

/** Errors of the control plane whose messages are sentences for the operator. */
const operatorErrors: ReadonlySet<string> = new Set(['StoreError', 'SecretError', 'AdminKeyError']);

/**
 * Creates the services that `gw serve` uses from the compiler and the plugins. From here on, unhandled rejections are reported.
 */
export const serveServices = (io: CommandIo): ServeServices => {
  const outputs = serveOutputs(io);
  const { err } = outputs;
  logUnhandledRejections(outputs);
  const services: ServeServices = {
    io: serveIo(io.cwd, outputs),
    environment: async (source, isolation) => {
      if (source === undefined) return builtinEnvironment();
      const [spawner, { fileEnvironment }, { attributeCrash }] = await Promise.all([
        launcher(),
        import('./environment/file-environment.ts'),
        import('./attribute-crash.ts'),
      ]);
      const environment = await fileEnvironment({ ...source, spawner, isolation }, (text) => err.write(text));
      await attributeCrash(environment);
      return environment;
    },
    compiler: async (environment) => (await import('./environment/serve-compiler.ts')).serveCompiler(environment),
    control: async (options) => {
      const [{ openControl }, { systemClock: clock }] = await Promise.all([
        import('../plugins/control/open-control.ts'),
        import('../runtime/in-memory/system-clock.ts'),
      ]);
      const { compiler, compileShares } = options;
      let replayLogged: Promise<ReplayLogged> | undefined;
      const opened = await openControl({
        ...options,
        env: process.env,
        sinkModule: ownModule('gw/sinks/thread'),
        clock,
        compile: async (text, { tenant, ...how }) => {
          const { compileSaved } = await compiler();
          return compileShares.runSaved(tenant, (timed) => compileSaved(text, { ...how, timed }));
        },
        providerWarnings: async (tenant, saved, catalogue) => {
          const [{ hostWarnings }, { whenLoaded }] = await Promise.all([
            import('../compiler/gateway-file-checks/check-saved.ts'),
            import('../plugins/sdk/loading/when-loaded.ts'),
          ]);
          return compileShares.runSaved(tenant, (timed) =>
            whenLoaded(() => timed(() => hostWarnings(saved, catalogue))),
          );
        },
        comparePlans: async (tenant, before, after) => {
          const { planComparison } = await import('../compiler/cli/diff/plan-comparison.ts');
          return compileShares.runSaved(tenant, (timed) => timed(() => planComparison(before, after)));
        },
        replayLogged: async (tenant, record, on) => {
          replayLogged ??= import('./replay/replay-logged.ts').then((each) =>
            each.loggedReplayer({ ...options.environment, rules: options.rules }),
          );
          const replay = await replayLogged;
          return compileShares.runSaved(tenant, (timed) => timed(() => replay(record, on)));
        },
        describeCatalogue: async (catalogue) =>
          (await import('../compiler/plugin-catalogue/describe-catalogue.ts')).describeCatalogue(catalogue),
        say: (text) => err.write(text),
        isTerminal: process.stderr.isTTY === true,
      }).catch(failedToServe(operatorErrors));
      let pages: Promise<ReadConsolePage> | undefined;
      const loadPages = async (): Promise<ReadConsolePage> =>
        (await import('../plugins/console/server/console-pages.ts')).consolePages();
      return {
        ...opened,
        consolePages: async (asked) => {
          pages ??= loadPages();
          return (await pages)(asked);
        },
      };
    },
    metrics: async (options) => {
      const { createMetrics } = await import('../plugins/telemetry/metrics/create-metrics.ts');
      return createMetrics(options).catch(failedToServe(missingPackage));
    },
    telemetry: async (options) => {
      const [{ openTelemetry }, { ownVersion }] = await Promise.all([
        import('../plugins/telemetry/otlp/open-telemetry.ts'),
        import('../plugins/host/loading/own-version.ts'),
      ]);
      return openTelemetry({ ...options, serviceVersion: ownVersion() }).catch(failedToServe(missingPackage));
    },
    alerts: async (options) => {
      const [{ openAlerts }, { systemClock: clock }, { randomUUID }] = await Promise.all([
        import('../plugins/alerts/open-alerts.ts'),
        import('../runtime/in-memory/system-clock.ts'),
        import('node:crypto'),
      ]);
      return openAlerts({ ...options, clock, random: Math.random, newId: () => `msg_${randomUUID()}` });
    },
    workerAlerts: async (options) => {
      const [{ openWorkerAlerts }, { systemClock: clock }] = await Promise.all([
        import('../plugins/alerts/worker-alerts.ts'),
        import('../runtime/in-memory/system-clock.ts'),
      ]);
      return openWorkerAlerts({ ...options, clock });
    },
    overload: async (options) => {
      const [{ openOverload }, { systemClock: clock }] = await Promise.all([
        import('../plugins/overload/open-overload.ts'),
        import('../runtime/in-memory/system-clock.ts'),
      ]);
      return openOverload({ ...options, clock, random: Math.random });
    },
    workers: async (options) => {
      const [{ serveWorkers }, { forkWorker }, { memoryCache }, { memoryVectors }, { systemClock }] = await Promise.all(
        [
          import('../runtime/workers/owner-process/serve-workers.ts'),
          import('./fork-worker.ts'),
          import('../plugins/caches/memory-cache.ts'),
          import('../plugins/caches/semantic/memory-vectors.ts'),
          import('../runtime/in-memory/system-clock.ts'),
        ],
      );
      return serveWorkers({
        ...options,
        services,
        fork: forkWorker,
        createCache: (size) => memoryCache(size, systemClock),
        createVectors: (size) => memoryVectors(size, systemClock),
        openAlerts: async (owned) => {
          const [{ openOwnerAlerts }, { randomUUID }] = await Promise.all([
            import('../plugins/alerts/owner-alerts.ts'),
            import('node:crypto'),
          ]);
          const newId = (): string => `msg_${randomUUID()}`;
          return openOwnerAlerts({ ...owned, clock: systemClock, random: Math.random, newId });
        },
        openControl: async (owned) => {
          const { openOwner } = await import('../plugins/control/owner-process/open-owner.ts');
          const say = (text: string): void => err.write(text);
          const { sinks, ...more } = owned;
          const module = ownModule('gw/sinks/thread');
          return openOwner({
            ...more,
            ...(sinks === undefined ? {} : { sinks: { ...sinks, module } }),
            ...{ clock: systemClock, say },
          }).catch(failedToServe(operatorErrors));
        },
      });
    },
    render: async (diagnostics, { text }) => {
      const { createRenderer } = await import('../compiler/diagnostic-text/render.ts');
      const render = createRenderer({ text, colour: io.err.colour });
      return diagnostics.map((each) => `${render(each)}\n\n`).join('');
    },
  };
  return services;
};
