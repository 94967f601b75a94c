/** The `gw` command: joins the compiler, the plugins and the runtime, each loaded when a command needs it. */
import { existsSync, lstatSync, readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { SavedProblem } from './compiler/check-saved.ts';
import { type CommandName, commandSummaries, isCommandName, mainHelp } from './compiler/commands/main-help.ts';
import { nodeIo } from './compiler/commands/node-io.ts';
import type { CommandIo, CommandServices, Environment, TextOutput } from './compiler/commands/services.ts';
import { UsageError } from './compiler/commands/usage-error.ts';
import type { ControlCommand } from './plugins/control/commands/control-commands.ts';
import type { ControlServices } from './plugins/control/commands/services.ts';
import type { IsolatedPlugin } from './plugins/isolation/isolated-plugin.ts';
import type { Linkable } from './plugins/isolation/settled.ts';
import type { Spawner } from './plugins/isolation/spawner.ts';
import type { Catalogue } from './plugins/sdk/catalogue.ts';
import type { Plugin } from './plugins/sdk/plugin.ts';
import type { ReadEnvironment } from './runtime/commands/read-environment.ts';
import type { SecretReader } from './runtime/commands/secret-reader.ts';
import type { ServeEnvironment } from './runtime/commands/serve-environment.ts';
import type { ServeServices } from './runtime/commands/serve-services.ts';
import { type BoundedOutput, boundedOutput } from './runtime/server/bounded-output.ts';
import { closestName } from './schema/closest-name.ts';
import { toError } from './schema/error-text.ts';
import type { GatewayFile } from './schema/generated/gateway-file.ts';
import type { CompileResult, RoutingPlan } from './schema/plan.ts';
import type { Saved } from './schema/saved.ts';
import { utf8Text } from './schema/utf8-text.ts';

interface LoadedEnvironment extends Environment {
  readonly settings: GatewayFile;
  readonly pluginFiles: ServeEnvironment['pluginFiles'];
  readonly isolated: readonly IsolatedPlugin[];
  readonly prepare: NonNullable<ServeEnvironment['prepare']>;
}

const builtinEnvironment = async (): Promise<LoadedEnvironment> => {
  const [{ lazyBuiltinPlugins: plugins }, { buildCatalogue }, { nothingSaved }] = await Promise.all([
    import('./plugins/lazy-builtin.ts'),
    import('./plugins/sdk/catalogue.ts'),
    import('./schema/saved.ts'),
  ]);
  return {
    settings: {},
    plugins,
    pluginFiles: async () => [],
    isolated: [],
    prepare: async () => {},
    catalogue: buildCatalogue(plugins),
    saved: nothingSaved,
    diagnostics: [],
  };
};

/** Lets isolated plugins answer what the linker will ask of a plan. */
const prepare = async (isolated: readonly Linkable[], { root }: RoutingPlan): Promise<void> => {
  const [{ settledChecks }, { leavesOf }, { checksOf }] = await Promise.all([
    import('./plugins/isolation/settled.ts'),
    import('./schema/leaves-of.ts'),
    import('./schema/checks-of.ts'),
  ]);
  await settledChecks(
    isolated,
    leavesOf(root).flatMap(({ stages }) => stages.flatMap(checksOf)),
  );
};

/** Compiles with what isolated plugins say of the config; the plan can be linked. */
const compileSettled = async <Result extends CompileResult>(
  isolated: readonly Linkable[],
  compile: () => Result,
): Promise<Result> => {
  const { settled } = await import('./plugins/isolation/settled.ts');
  const result = await settled(isolated, compile);
  if (result.plan !== undefined) await prepare(isolated, result.plan);
  return result;
};

/** What is wrong with saved things; where nothing is saved, the compiler is not loaded to say so. */
const savedProblems = async (
  saved: Saved,
  { catalogue, isolated }: { readonly catalogue: Catalogue; readonly isolated: readonly Linkable[] },
): Promise<readonly SavedProblem[]> => {
  if (Object.values(saved).every((things) => Object.keys(things).length === 0)) return [];
  const [{ checkSaved }, { settled }] = await Promise.all([
    import('./compiler/check-saved.ts'),
    import('./plugins/isolation/settled.ts'),
  ]);
  return settled(isolated, () => checkSaved(saved, catalogue));
};

const priceProblems = async ({ prices }: GatewayFile, catalogue: Catalogue): Promise<readonly SavedProblem[]> => {
  if (prices === undefined) return [];
  const { checkPrices } = await import('./compiler/check-prices.ts');
  return checkPrices(prices, catalogue);
};

const cacheProblems = async (
  { cache }: GatewayFile,
  known: Pick<Environment, 'saved' | 'catalogue'>,
): Promise<readonly SavedProblem[]> => {
  if (cache?.semantic === undefined) return [];
  const { checkCache } = await import('./compiler/check-cache.ts');
  return checkCache(cache, known);
};

interface GatewayText {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The file as messages name it. */
  readonly shown?: string;
  /** What starts the processes of isolated plugins; this process itself if absent. */
  readonly spawner?: Spawner | undefined;
}

/** The gateway file and the plugins it names, beside those that come with the gateway. `tell` prints for the operator. */
const fileEnvironment = async (
  { file, text, shown = file, spawner }: GatewayText,
  tell: (text: string) => void,
): Promise<LoadedEnvironment> => {
  const [{ readGatewayFile }, { loadPlugins }, { withoutCaches }, { childPointer, rootPointer }, builtin] =
    await Promise.all([
      import('./compiler/commands/read-gateway-file.ts'),
      import('./plugins/load.ts'),
      import('./plugins/loading/without-caches.ts'),
      import('./schema/pointer.ts'),
      builtinEnvironment(),
    ]);
  const { settings, saved, diagnostics, diagnose } = readGatewayFile(text, shown);
  const entries = (settings.plugins ?? []).map((entry, index) => ({
    ...entry,
    pointer: childPointer(rootPointer, 'plugins', index),
  }));
  const isolation = { variables: process.env, log: (line: string) => tell(`gw: ${line}\n`), spawner };
  const loaded = await loadPlugins(entries, path.dirname(file), isolation);
  const plugins: readonly Plugin[] = [...withoutCaches(builtin.plugins, loaded.plugins), ...loaded.plugins];
  const { buildCatalogue } = await import('./plugins/sdk/catalogue.ts');
  const catalogue = buildCatalogue(plugins);
  const brokenPlugins = [
    ...new Set(
      loaded.problems.flatMap(
        ({ pointer }) => entries.find((entry) => pointer.startsWith(`${entry.pointer}/`))?.package ?? [],
      ),
    ),
  ];
  // What is saved may use a plugin that could not be loaded: that is one mistake, and told as such.
  const isOwn = ({ code }: SavedProblem): boolean =>
    brokenPlugins.length === 0 || (code !== 'unknown-provider' && code !== 'unknown-check');
  const ofValues = [
    ...(await savedProblems(saved, { catalogue, isolated: loaded.isolated })),
    ...(await priceProblems(settings, catalogue)),
    ...(await cacheProblems(settings, { saved, catalogue })),
  ];
  const problems = [...loaded.problems, ...ofValues.filter(isOwn)];
  const pluginFiles = async (): ReturnType<ServeEnvironment['pluginFiles']> => {
    if (loaded.files.length === 0) return [];
    const { moduleFiles } = await import('./plugins/loading/module-files.ts');
    return loaded.files.map(({ plugin, file: entry, isIsolated }) => ({
      what: `The plugin "${plugin}"`,
      files: moduleFiles(entry),
      isIsolated,
    }));
  };
  const unread = diagnostics.some(({ severity }) => severity === 'error');
  const found = [...diagnostics, ...problems.map(diagnose)];
  const rules = {
    passThrough: settings.pass_through ?? 'judged',
    onLoss: settings.on_loss ?? 'tell',
    promptCache: settings.prompt_cache ?? 'off',
    hasStore: settings.store !== undefined,
  };
  const known = { plugins, pluginDetails: loaded.files, isolated: loaded.isolated, catalogue, saved };
  const { isolated } = loaded;
  return {
    settings,
    pluginFiles,
    prepare: (plan) => prepare(isolated, plan),
    ...known,
    diagnostics: found,
    ...rules,
    unread,
    brokenPlugins,
  };
};

/** A promise that a plugin made and forgot is told of; it ends neither a command nor the requests of everybody else. */
const outliveRejections = ({ err }: { readonly err: Pick<TextOutput, 'write'> }): void => {
  process.on('unhandledRejection', (reason) => {
    const { stack, message } = toError(reason);
    err.write(
      `gw: A promise was rejected, and nobody had asked for it. It is a plugin's, or a fault here: ${stack ?? message}\n`,
    );
  });
};

/** Whether the command has the process for itself: it prints where the process does. */
const isProcess = ({ out }: CommandIo): boolean => out.stream === process.stdout;

const commandServices = async (io: CommandIo): Promise<CommandServices> => {
  if (isProcess(io)) outliveRejections(io);
  const [{ compile }, { sdkVersion }] = await Promise.all([
    import('./compiler/compile.ts'),
    import('./plugins/sdk/plugin.ts'),
  ]);
  return {
    io,
    environment: async (file, text) => {
      const read =
        file === undefined
          ? builtinEnvironment()
          : fileEnvironment({ file: path.resolve(io.cwd, file), text: text ?? '', shown: file }, (line) =>
              io.err.write(line),
            );
      const [environment, { loadCatalogue }] = await Promise.all([read, import('./plugins/sdk/catalogue.ts')]);
      return { ...environment, catalogue: await loadCatalogue(environment.plugins) };
    },
    compile: (text, { environment: { catalogue, saved, isolated = [] }, file, name }) =>
      compileSettled(isolated, () => compile(text, { trust: 'operator', catalogue, saved, file, name })),
    versions: { gatewright: version(), sdk: sdkVersion },
    verifyPlugin: async (target) => {
      const [{ verifyPlugin }, { lazyBuiltinPlugins }, { VerifyError }, { routesFault }, { declaredControlRoutes }] =
        await Promise.all([
          import('./plugins/verifying/verify-plugin.ts'),
          import('./plugins/lazy-builtin.ts'),
          import('./plugins/verifying/verify-error.ts'),
          import('./runtime/server/routes-fault.ts'),
          import('./plugins/control/declared-routes.ts'),
        ]);
      const control = { name: 'gatewright/control', routes: declaredControlRoutes() };
      return verifyPlugin(target, {
        cwd: io.cwd,
        builtin: [...lazyBuiltinPlugins, control],
        routesFault: routesFault(lazyBuiltinPlugins),
      }).catch((error: unknown) => {
        throw error instanceof VerifyError ? new UsageError(error.message, error.hint) : error;
      });
    },
    log: async (id) => {
      const [{ fetchLog }, { CommandFailure }] = await Promise.all([
        import('./plugins/control/commands/logs/fetch-log.ts'),
        import('./plugins/control/commands/command-failure.ts'),
      ]);
      return fetchLog({ env: process.env, home: homedir() }, id).catch((error: unknown) => {
        throw error instanceof CommandFailure ? new UsageError(error.message, error.hint) : error;
      });
    },
    replay: async (plan, script, { plugins, passThrough = 'judged', onLoss = 'tell' }) => {
      const [{ replay }, { createVirtualClock }, { LinkError }, { PluginError }] = await Promise.all([
        import('./runtime/replay/replay.ts'),
        import('./plugins/testing/virtual-clock.ts'),
        import('./runtime/link/link-error.ts'),
        import('./runtime/link/plugin-error.ts'),
      ]);
      const clock = createVirtualClock();
      return replay({ plan, script, plugins, clock, passThrough, onLoss }).catch((error: unknown) => {
        if (error instanceof PluginError)
          throw new UsageError(error.message, 'Correct the plugin, or remove it from the gateway file.');
        if (!(error instanceof LinkError)) throw error;
        throw new UsageError(error.message, 'Name the gateway file that loads its plugins: --config FILE.');
      });
    },
  };
};

const unbounded = (output: TextOutput): BoundedOutput => ({
  write: (text) => output.write(text),
  flushed: async () => {},
  dropped: () => 0,
});

/** What a gateway prints for as long as it runs; what is no stream takes everything. */
const lasting = (output: TextOutput, lost: (count: number) => string): BoundedOutput =>
  output.stream === undefined ? unbounded(output) : boundedOutput({ stream: output.stream, lost });

interface ServeOutputs {
  readonly out: BoundedOutput;
  readonly err: BoundedOutput;
}

/** On standard output there are JSON lines only, once anything is written that could be dropped. */
const serveOutputs = ({ out, err }: CommandIo): ServeOutputs => ({
  out: lasting(out, (count) => `{"dropped":${count}}\n`),
  err: lasting(err, (count) => `gw: ${count} messages were dropped here, because nobody read them.\n`),
});

/**
 * What a plugin throws outside of any request leaves the process in a state that nobody knows, so Node ends it. The operator
 * is told whose it was, and what keeps it from ending the gateway again.
 */
const blamePlugins = async ({ pluginDetails = [] }: Environment): Promise<void> => {
  const modules = pluginDetails.filter(({ isIsolated }) => !isIsolated);
  if (modules.length === 0) return;
  const { blamedPlugin } = await import('./plugins/loading/blamed-plugin.ts');
  process.on('uncaughtExceptionMonitor', (error) => {
    const plugin = blamedPlugin(error.stack ?? '', modules);
    const advice = 'Checks can run in a process of their own: "isolate": true in the gateway file.';
    if (plugin !== undefined)
      writeSync(
        2,
        `gw: The plugin "${plugin}" threw an error outside of any request, which ends the gateway. ${advice}\n`,
      );
  });
};

/** Windows has no sockets that one process could hand to another, and copies no memory to start one. */
const launcher = async (): Promise<Spawner | undefined> =>
  process.platform === 'win32'
    ? undefined
    : (await import('./plugins/isolation/launcher/launcher.ts')).createLauncher();

const missingPackage: ReadonlySet<string> = new Set(['MissingPackage']);

/** Turns errors of these names, which are sentences for the operator, into failures to start. */
const failedToServe =
  (names: ReadonlySet<string>) =>
  async (error: unknown): Promise<never> => {
    const { ServeFailure } = await import('./runtime/commands/serve-failure.ts');
    throw error instanceof Error && names.has(error.name) ? new ServeFailure(error.message) : error;
  };

/** Errors of the control plane that are sentences for the operator. */
const operatorErrors: ReadonlySet<string> = new Set(['StoreError', 'SecretError', 'AdminKeyError']);

const serveServices = ({ cwd, err: { colour } }: CommandIo, { out, err }: ServeOutputs): ServeServices => ({
  io: {
    cwd,
    env: process.env,
    stdout: (text) => out.write(text),
    stderr: (text) => err.write(text),
    flushed: async () => {
      await Promise.all([out.flushed(), err.flushed()]);
    },
    dropped: () => out.dropped(),
    // A link that leads nowhere is there: a gateway file that was meant must not be passed over.
    readFile: async (file) => (lstatSync(file, { throwIfNoEntry: false }) ? utf8Text(readFileSync(file)) : undefined),
    onSignal: (listener) => {
      const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
      const taps = signals.map((signal) => [signal, () => listener(signal)] as const);
      for (const [signal, tap] of taps) process.on(signal, tap);
      return () => {
        for (const [signal, tap] of taps) process.off(signal, tap);
      };
    },
    exit: (code) => process.exit(code),
  },
  environment: async (source) => {
    if (source === undefined) return builtinEnvironment();
    const spawner = await launcher();
    const environment = await fileEnvironment({ ...source, spawner }, (text) => err.write(text));
    await blamePlugins(environment);
    return environment;
  },
  compiler: async ({ plugins, saved, isolated }) => {
    const [{ compileCaller }, { withDefaultHooks }, { buildCatalogue, loadCatalogue }] = await Promise.all([
      import('./compiler/compile-caller.ts'),
      import('./compiler/with-default-hooks.ts'),
      import('./plugins/sdk/catalogue.ts'),
    ]);
    const catalogue = buildCatalogue(plugins);
    let whole: Promise<Catalogue> | undefined;
    const callerOf = (own: Saved) => (text: string) => {
      const compile = (): CompileResult => compileCaller(text, { catalogue, saved: own });
      return isolated.length === 0 ? compile() : compileSettled(isolated, compile);
    };
    return {
      // Only the warnings for files ask the dialects.
      compileOperator: async (text, file) => {
        whole ??= loadCatalogue(plugins);
        const [{ compile }, known] = await Promise.all([import('./compiler/compile.ts'), whole]);
        return compileSettled(isolated, () => compile(text, { trust: 'operator', catalogue: known, saved, file }));
      },
      compileCaller: callerOf(saved),
      callerOf,
      withDefaultHooks: (plan, defaults) => withDefaultHooks(plan, defaults, catalogue),
      compileSaved: async (text, { saved: own, name }) => {
        whole ??= loadCatalogue(plugins);
        const [{ compile }, known] = await Promise.all([import('./compiler/compile.ts'), whole]);
        return compileSettled(isolated, () => compile(text, { trust: 'saved', catalogue: known, saved: own, name }));
      },
    };
  },
  control: async (options) => {
    const [{ openControl }, { ServeFailure }, { systemClock: clock }] = await Promise.all([
      import('./plugins/control/open-control.ts'),
      import('./runtime/commands/serve-failure.ts'),
      import('./runtime/memory/system-clock.ts'),
    ]);
    const { compiler } = options;
    return openControl({
      ...options,
      env: process.env,
      clock,
      compile: async (text, how) => (await compiler()).compileSaved(text, how),
      say: (text) => err.write(text),
      isTerminal: process.stderr.isTTY === true,
    }).catch((error: unknown) => {
      throw error instanceof Error && operatorErrors.has(error.name) ? new ServeFailure(error.message) : error;
    });
  },
  metrics: async (options) => {
    const { createMetrics } = await import('./plugins/telemetry/metrics/create-metrics.ts');
    return createMetrics(options).catch(failedToServe(missingPackage));
  },
  telemetry: async (options) => {
    const { openTelemetry } = await import('./plugins/telemetry/traces/open-telemetry.ts');
    return openTelemetry(options).catch(failedToServe(missingPackage));
  },
  render: async (diagnostics, { text }) => {
    const { renderDiagnostic } = await import('./compiler/render/render.ts');
    return diagnostics.map((each) => `${renderDiagnostic(each, { text, colour })}\n\n`).join('');
  },
});

interface GatewayFileUse<Value> {
  /** What the file does not say, as the end of a sentence. */
  readonly wanted: string;
  /** What to do where it has errors, as the end of a sentence. */
  readonly otherwise: string;
  /** Throws a `ServeFailure`. */
  read(from: Pick<ReadEnvironment, 'settings' | 'file'>, secrets: SecretReader): Value | Promise<Value>;
}

/** What a gateway file says, as `gw serve` in this folder would read it; undefined if there is none. */
const fromGatewayFile = async <Value>(
  io: CommandIo,
  given: string | undefined,
  { wanted, otherwise, read }: GatewayFileUse<Value>,
): Promise<Value | undefined> => {
  const file = given ?? ((await io.kindOf('gateway.json')) === 'file' ? 'gateway.json' : undefined);
  if (file === undefined) return undefined;
  const [{ readText }, { readGatewayFile }, { secretReader }, { ServeFailure }] = await Promise.all([
    import('./compiler/commands/read-text.ts'),
    import('./compiler/commands/read-gateway-file.ts'),
    import('./runtime/commands/secret-reader.ts'),
    import('./runtime/commands/serve-failure.ts'),
  ]);
  const { settings, diagnostics } = readGatewayFile(await readText(io, file), file);
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new UsageError(`The gateway file ${file} has errors.`, `Find them with gw check${otherwise}.`);
  try {
    return await read({ settings, file: path.resolve(io.cwd, file) }, secretReader(process.env));
  } catch (error) {
    if (!(error instanceof ServeFailure)) throw error;
    throw new UsageError(`The gateway file ${file} does not say ${wanted}.`, error.message);
  }
};

const configuredStore = (io: CommandIo, given: string | undefined): Promise<string | undefined> =>
  fromGatewayFile(io, given, {
    wanted: 'where its store is',
    otherwise: ', or name the store with --store',
    async read(from, secrets) {
      const { storeOf } = await import('./runtime/commands/control-settings.ts');
      return storeOf({ open: false, help: false }, from, { cwd: io.cwd, read: secrets });
    },
  });

const configuredMasterKey = (io: CommandIo, given: string | undefined): Promise<string | undefined> =>
  fromGatewayFile(io, given, {
    wanted: 'what its master key is',
    otherwise: '',
    async read({ settings }, secrets) {
      const { masterKeyOf } = await import('./runtime/commands/control-settings.ts');
      return masterKeyOf(settings, secrets);
    },
  });

const controlServices = async (io: CommandIo): Promise<ControlServices> => {
  const [{ parseCommandLine }, { commandHelp }, { readText }, { parseConfig }, { renderDiagnostic }] =
    await Promise.all([
      import('./compiler/commands/parse-command-line.ts'),
      import('./compiler/commands/command-help.ts'),
      import('./compiler/commands/read-text.ts'),
      import('./compiler/parse/parse-config.ts'),
      import('./compiler/render/render.ts'),
    ]);
  const isTerminal = isProcess(io) && process.stdout.isTTY === true;
  return {
    cwd: io.cwd,
    home: homedir(),
    env: process.env,
    out: io.out,
    err: io.err,
    isTerminal,
    columns: isTerminal ? process.stdout.columns : undefined,
    readText: async (file) =>
      file === '-' ? (await import('node:stream/consumers')).text(process.stdin) : readText(io, file),
    parse: parseCommandLine,
    help: commandHelp,
    readJson: (text, file) => {
      const { document, reporter } = parseConfig(text, { file, comments: true, schemaMember: true });
      if (document === undefined || reporter.failed) return { diagnostics: reporter.diagnostics() };
      return {
        value: document.value,
        locate: (finding) => {
          const part = finding.code === 'unknown-key' ? 'key' : 'value';
          return { ...finding, file, span: document.spanOf(finding.pointer, part) };
        },
      };
    },
    render: renderDiagnostic,
    configuredStore: (gatewayFile) => configuredStore(io, gatewayFile),
    configuredMasterKey: (gatewayFile) => configuredMasterKey(io, gatewayFile),
  };
};

type RunCommand = (argv: readonly string[], io: CommandIo) => Promise<number>;

const control =
  (name: ControlCommand): RunCommand =>
  async (argv, io) => {
    const [{ controlCommand }, services] = await Promise.all([
      import('./plugins/control/commands/control-commands.ts'),
      controlServices(io),
    ]);
    return controlCommand(name, services, argv);
  };

const commands: Readonly<Record<CommandName, RunCommand>> = {
  backup: control('backup'),
  check: async (argv, io) => (await import('./compiler/commands/check.ts')).check(await commandServices(io), argv),
  compile: async (argv, io) =>
    (await import('./compiler/commands/compile.ts')).compile(await commandServices(io), argv),
  configs: control('configs'),
  explain: async (argv, io) =>
    (await import('./compiler/commands/explain.ts')).explain(await commandServices(io), argv),
  guardrails: control('guardrails'),
  integrations: control('integrations'),
  keys: control('keys'),
  logs: control('logs'),
  organisation: control('organisation'),
  plugin: async (argv, io) => (await import('./compiler/commands/plugin.ts')).plugin(await commandServices(io), argv),
  policies: control('policies'),
  prompts: control('prompts'),
  providers: control('providers'),
  serve: async (argv, io) => {
    const outputs = serveOutputs(io);
    outliveRejections(outputs);
    return (await import('./runtime/commands/serve.ts')).serve(serveServices(io, outputs), argv);
  },
  usage: control('usage'),
  'virtual-keys': control('virtual-keys'),
  workspaces: control('workspaces'),
};

/** The package's own file: beside the sources, or above what was built of them. */
const version = (): string => {
  const here = path.join(import.meta.dirname, 'package.json');
  const file = existsSync(here) ? here : path.join(import.meta.dirname, '..', 'package.json');
  const { version: text }: { readonly version?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(text);
};

const unknownCommand = (name: string): UsageError => {
  const what = name.startsWith('-') ? 'flag' : 'command';
  const closest = closestName(name.replace(/^-+/, ''), [...Object.keys(commandSummaries), 'help', 'version']);
  const flag = closest === 'help' || closest === 'version' ? '--' : '';
  const hint = closest === undefined ? 'See gw --help.' : `Did you mean gw ${flag}${closest}?`;
  return new UsageError(`There is no ${what} "${name}".`, hint);
};

const run = async ([name, ...rest]: readonly string[], io: CommandIo): Promise<number> => {
  if (name === undefined) throw new UsageError('No command was given.', 'See gw --help.');
  if (isCommandName(name)) return commands[name](rest, io);
  if (name === '--version' || name === '-v') {
    io.out.write(`${version()}\n`);
    return 0;
  }
  if (name !== '--help' && name !== '-h' && name !== 'help') throw unknownCommand(name);
  const [about] = rest;
  if (about !== undefined && isCommandName(about)) return commands[about](['--help'], io);
  io.out.write(mainHelp());
  return 0;
};

/** Runs one command; gives the exit code. A mistake of the user's is one line on standard error, and 2. */
export const main = async (argv: readonly string[], io: CommandIo = nodeIo()): Promise<number> => {
  try {
    return await run(argv, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err.write(`gw: ${error.message} ${error.hint}\n`);
    return 2;
  }
};

/** Ends the process when all is printed, even where a plugin has left a timer or a connection behind. */
export const end = (code: number): void => {
  process.stdout.write('', (error) => {
    const isLost = error != null && !('code' in error && error.code === 'EPIPE');
    if (isLost) process.stderr.write(`gw: Standard output could not be written: ${error.message}.\n`);
    process.stderr.write('', () => process.exit(isLost ? 1 : code));
  });
};

if (import.meta.main) end(await main(process.argv.slice(2)));
