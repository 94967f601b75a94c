import path from 'node:path';
import type { SavedProblem } from '../../compiler/gateway-file-checks/check-saved.ts';
import type { GivenSink } from '../../compiler/gateway-file-checks/check-sinks.ts';
import type { IsolationOwner } from '../../plugins/host/isolation/isolation-owner.ts';
import type { IsolationLink } from '../../plugins/host/isolation/messages.ts';
import type { Spawner } from '../../plugins/host/isolation/spawning/spawner.ts';
import type { LoadedPlugins } from '../../plugins/host/load.ts';
import { toReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { SinkEntry } from '../../plugins/sdk/sink/sink-entry.ts';
import type { ServeEnvironment } from '../../runtime/cli/services/serve-environment.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { builtinEnvironment } from './builtin-environment.ts';
import { prepare } from './compile-with-isolated.ts';
import { egressProblems, tlsProblems, untrustedFinder } from './egress-problems.ts';
import type { LoadedEnvironment } from './loaded-environment.ts';
import {
  alertProblems,
  cacheProblems,
  labelProblems,
  listenProblems,
  metricsProblems,
  modelFactProblems,
  modelProblems,
  overloadProblems,
  priceProblems,
  savedProblems,
  sinkProblems,
} from './settings-problems.ts';

/** Returns the sinks of the log. Their code is loaded in their own thread. */
const sinkEntries = async (
  { log }: GatewayFile,
  { plugins, files }: Pick<LoadedPlugins, 'plugins' | 'files'>,
): Promise<readonly SinkEntry[]> => {
  if (typeof log !== 'object' || log.sinks === undefined) return [];
  const { toSinkEntries } = await import('../sinks/sink-entries.ts');
  return toSinkEntries(log.sinks as readonly GivenSink[], { plugins, files });
};

/** Opens the isolated plugins of this process for its workers. */
const openIsolationOwner = async ({ isolated }: Pick<LoadedPlugins, 'isolated'>): Promise<IsolationOwner> => {
  const [{ IsolationOwner: Owner }, { IsolatedPlugin }] = await Promise.all([
    import('../../plugins/host/isolation/isolation-owner.ts'),
    import('../../plugins/host/isolation/isolated-plugin.ts'),
  ]);
  return new Owner(isolated.filter((plugin) => plugin instanceof IsolatedPlugin));
};

interface GatewayText {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  /** The name of the file in messages. */
  readonly shown?: string;
  /** Starts the processes of isolated plugins; this process itself if absent. */
  readonly spawner?: Spawner | undefined;
  /** The connection to the processes of isolated plugins, which a worker is given. */
  readonly isolation?: IsolationLink | undefined;
}

/**
 * Loads the gateway file and the plugins that it names, in addition to those that come with the gateway. `log` prints for the
 * operator.
 */
export const fileEnvironment = async (
  { file, text, shown = file, spawner, isolation: owner }: GatewayText,
  log: (text: string) => void,
): Promise<LoadedEnvironment> => {
  const [{ readGatewayFile }, { loadPlugins }, { withoutCaches }, { childPointer, rootPointer }, builtin] =
    await Promise.all([
      import('../../compiler/cli/files/read-gateway-file.ts'),
      import('../../plugins/host/load.ts'),
      import('../../plugins/host/loading/without-caches.ts'),
      import('../../schema/json/pointer.ts'),
      builtinEnvironment(),
    ]);
  const { settings, saved, diagnostics, diagnose } = readGatewayFile(text, shown);
  const entries = (settings.plugins ?? []).map((entry, index) => ({
    ...entry,
    pointer: childPointer(rootPointer, 'plugins', index),
  }));
  const isolation = { variables: process.env, log: (line: string) => log(`gw: ${line}\n`), spawner, owner };
  const loaded = await loadPlugins(entries, path.dirname(file), isolation);
  const plugins: readonly Plugin[] = [...withoutCaches(builtin.plugins, loaded.plugins), ...loaded.plugins];
  const { buildCatalogue } = await import('../../plugins/sdk/plugin/catalogue.ts');
  const catalogue = buildCatalogue(plugins);
  const brokenPlugins = [
    ...new Set(
      loaded.problems.flatMap(
        ({ pointer }) => entries.find((entry) => pointer.startsWith(`${entry.pointer}/`))?.package ?? [],
      ),
    ),
  ];
  // Saved records may use a plugin that could not be loaded. That is one mistake, and is reported as such.
  const isOwn = ({ code }: SavedProblem): boolean =>
    brokenPlugins.length === 0 || !['unknown-provider', 'unknown-check', 'unknown-sink'].includes(code);
  const findUntrusted = await untrustedFinder(settings);
  const ofValues = [
    ...(await savedProblems(saved, { catalogue, isolated: loaded.isolated, findUntrusted })),
    ...(await priceProblems(settings, catalogue)),
    ...(await modelFactProblems(settings, { saved, catalogue })),
    ...(await cacheProblems(settings, { saved, catalogue })),
    ...(await modelProblems(settings, { saved, catalogue })),
    ...(await labelProblems(saved)),
    ...(await sinkProblems(settings, { catalogue })),
    ...(await alertProblems(settings)),
    ...(await listenProblems(settings)),
    ...(await tlsProblems(settings, saved)),
    ...(await egressProblems(settings)),
    ...(await metricsProblems(settings)),
    ...(await overloadProblems(settings)),
  ];
  const problems = [...loaded.problems, ...ofValues.filter(isOwn)];
  const pluginFiles = async (): ReturnType<ServeEnvironment['pluginFiles']> => {
    if (loaded.files.length === 0) return [];
    const { moduleFiles } = await import('../../plugins/host/loading/module-files.ts');
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
    reading: toReading(settings),
    onLoss: settings.on_loss ?? 'tell',
    unknownHeaders: settings.unknown_headers ?? 'refuse',
    promptCache: settings.prompt_cache ?? 'off',
    makesVectors: settings.cache?.semantic !== undefined,
    ...(settings.cache?.semantic && { embedder: settings.cache.semantic }),
    findUntrusted,
    hasStore: settings.store !== undefined,
    ...(settings.configs === undefined ? {} : { configsFolder: path.resolve(path.dirname(file), settings.configs) }),
  };
  const known = { plugins, pluginDetails: loaded.files, isolated: loaded.isolated, catalogue, saved };
  const { isolated } = loaded;
  const sinks = await sinkEntries(settings, loaded);
  return {
    settings,
    diagnose,
    unknownConfigs: async (names) => {
      const { findUnknownConfigs } = await import('../../schema/config/unknown-configs.ts');
      return findUnknownConfigs(settings, names).map(diagnose);
    },
    pluginFiles,
    sinks,
    prepare: async (plan) => {
      const { loadChecks } = await import('./load-checks.ts');
      await loadChecks(catalogue, plan);
      await prepare(isolated, plan);
    },
    isolationOwner: () => openIsolationOwner(loaded),
    ...known,
    diagnostics: found,
    ...rules,
    unread,
    brokenPlugins,
  };
};
