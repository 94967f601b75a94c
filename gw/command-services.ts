import { Console } from 'node:console';
import path from 'node:path';
import type { CompileThreads } from '../compiler/cli/command-line/compile-threads.ts';
import type { CommandIo, CommandServices, Environment } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import type { RunScript } from '../compiler/cli/replay/replay-request.ts';
import { ownVersion } from '../plugins/host/loading/own-version.ts';
import { defaultReading } from '../plugins/sdk/dialect/text-span.ts';
import { systemClock } from '../runtime/in-memory/system-clock.ts';
import { GatewayError } from '../schema/errors/errors.ts';
import { builtinEnvironment } from './environment/builtin-environment.ts';
import { compileWithIsolated } from './environment/compile-with-isolated.ts';
import { fileEnvironment } from './environment/file-environment.ts';
import { isProcess } from './is-process.ts';
import { logUnhandledRejections } from './unhandled-rejections.ts';

export const commandServices = async (io: CommandIo): Promise<CommandServices> => {
  if (isProcess(io)) {
    logUnhandledRejections(io);
    // Plugins print while they are loaded, which would make the output of `--format json` unreadable.
    globalThis.console = new Console(process.stderr);
  }
  const [{ checkConfig, compile }, { sdkVersion }] = await Promise.all([
    import('../compiler/compile.ts'),
    import('../plugins/sdk/plugin/plugin.ts'),
  ]);
  // A command reads only one gateway file.
  let threads: CompileThreads | undefined;
  /** A log has many requests, and the plugins are loaded once for all of them. */
  const runners = new WeakMap<Environment, RunScript>();
  return {
    io,
    environment: async (file, text) => {
      const read =
        file === undefined
          ? builtinEnvironment()
          : fileEnvironment({ file: path.resolve(io.cwd, file), text: text ?? '', shown: file }, (line) =>
              io.err.write(line),
            );
      const [environment, { loadCatalogue }, { environmentModels }] = await Promise.all([
        read,
        import('../plugins/sdk/plugin/catalogue.ts'),
        import('./environment-models.ts'),
      ]);
      const found = file === undefined ? { environment } : { environment, file: path.resolve(io.cwd, file) };
      if (isProcess(io)) await (await import('./attribute-crash.ts')).endOnCrash(environment);
      const catalogue = await loadCatalogue(environment.plugins);
      return { ...environment, ...environmentModels(found), catalogue };
    },
    compile: async (text, { environment, file, name, trust = 'operator', portable = false, findingsOnly = false }) => {
      const { catalogue, saved, isolated = [], findModel, makesVectors, findUntrusted } = environment;
      const find = trust === 'operator' ? await findModel?.() : undefined;
      const { toDay } = await import('../schema/model-facts/to-day.ts');
      const known = find && { models: { find, today: toDay(systemClock.wall()) } };
      const run = findingsOnly && isolated.length === 0 ? checkConfig : compile;
      return compileWithIsolated(isolated, () =>
        run(text, {
          trust,
          catalogue,
          saved,
          name,
          makesVectors,
          findUntrusted,
          portable,
          ...(trust === 'operator' ? { file } : {}),
          ...known,
        }),
      );
    },
    threads: async (file, text) => {
      const { createCompileThreads } = await import('./threads/compile-threads.ts');
      threads ??= createCompileThreads({ cwd: io.cwd, gatewayFile: file, text });
      return threads;
    },
    findHostError: async (url) => (await import('../runtime/cli/configure/command-calls.ts')).findHostError(url),
    versions: { gatewright: ownVersion(), sdk: sdkVersion },
    verifyPlugin: async (target) => {
      const [{ verifyPlugin }, { lazyBuiltinPlugins }, { VerifyError }, { routesError }, { declaredControlRoutes }] =
        await Promise.all([
          import('../plugins/host/verifying/verify-plugin.ts'),
          import('../plugins/lazy-builtin.ts'),
          import('../plugins/host/verifying/verify-error.ts'),
          import('../runtime/route-matching/routes-error.ts'),
          import('../plugins/control/control-routes.ts'),
        ]);
      const control = { name: 'gatewright/control', routes: declaredControlRoutes() };
      return verifyPlugin(target, {
        cwd: io.cwd,
        builtin: [...lazyBuiltinPlugins, control],
        routesError: routesError(lazyBuiltinPlugins),
      }).catch((error: unknown) => {
        throw error instanceof VerifyError ? new UsageError(error.message, error.hint) : error;
      });
    },
    git: async (args, cwd) => (await import('./run-git.ts')).runGit(args, cwd),
    store: async (flags) => (await import('./asked-stores.ts')).store(flags),
    storeIfSet: async (flags) => (await import('./asked-stores.ts')).storeIfSet(flags),
    simulate: async (plan, simulation, { plugins, reading = defaultReading, findModel }) => {
      const [{ simulate }, { createVirtualClock }, { LinkError }] = await Promise.all([
        import('../runtime/simulation/simulate.ts'),
        import('../plugins/testkit/route/virtual-clock.ts'),
        import('../runtime/engine/link-error.ts'),
      ]);
      const models = findModel === undefined ? {} : { models: findModel };
      return simulate({ plan, simulation, plugins, clock: createVirtualClock(), reading, ...models }).catch(
        (error: unknown) => {
          if (error instanceof GatewayError)
            throw new UsageError('A request of the traffic cannot be served.', error.message);
          if (!(error instanceof LinkError)) throw error;
          throw new UsageError(error.message, 'Name the gateway file that loads its plugins: --config FILE.');
        },
      );
    },
    replay: async (plan, script, environment) => {
      const [{ scriptRunner }, { LinkError }, { PluginError }] = await Promise.all([
        import('./replay/run-script.ts'),
        import('../runtime/engine/link-error.ts'),
        import('../runtime/engine/plugins/plugin-error.ts'),
      ]);
      const { plugins, findModel } = environment;
      const run = runners.get(environment) ?? scriptRunner(plugins, { ...environment, models: findModel });
      runners.set(environment, run);
      return run(plan, script).catch((error: unknown) => {
        if (error instanceof PluginError)
          throw new UsageError(error.message, 'Correct the plugin, or remove it from the gateway file.');
        if (!(error instanceof LinkError)) throw error;
        throw new UsageError(error.message, 'Name the gateway file that loads its plugins: --config FILE.');
      });
    },
  };
};
