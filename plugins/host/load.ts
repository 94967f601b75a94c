import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentHash } from '../../schema/json/canonical.ts';
import { childPointer } from '../../schema/json/pointer.ts';
import { lazyBuiltinPlugins } from '../lazy-builtin.ts';
import type { Plugin, PluginPermissions } from '../sdk/plugin/plugin.ts';
import { IsolatedPlugin, type IsolationOptions } from './isolation/isolated-plugin.ts';
import { OwnedPlugin } from './isolation/owned-plugin.ts';
import { blameExit } from './loading/blame-exit.ts';
import { findError, permissionsError } from './loading/find-error.ts';
import { findPlugin, findPluginFolder, isPath } from './loading/find-plugin.ts';
import { loadFailure, loadFile } from './loading/load-file.ts';
import { type Manifest, readManifest } from './loading/manifest.ts';
import { memoryError } from './loading/memory-error.ts';
import { type PluginEntry, type ProblemText, type Refused, refused } from './loading/plugin-entry.ts';
import { pluginHash } from './loading/plugin-hash.ts';
import type { PluginProblem } from './loading/plugin-problem.ts';
import { toPermissions } from './loading/read-permissions.ts';
import { takenByGateway } from './loading/taken-names.ts';

export type { PluginEntry } from './loading/plugin-entry.ts';

/** A plugin in separate processes, which belong to this process or to its owner. */
export type LoadedIsolated = IsolatedPlugin | OwnedPlugin;

export interface LoadedPlugins {
  /** The usable plugins, in the order of their entries. Each has its options bound to `apply`. */
  readonly plugins: readonly Plugin[];
  /** The file that each plugin was loaded from, and what is known about it. */
  readonly files: readonly PluginFile[];
  /** The plugins that run in separate processes. These end when the plugin's `close` hook is called. */
  readonly isolated: readonly LoadedIsolated[];
  readonly problems: readonly PluginProblem[];
}

export interface PluginFile {
  /** The plugin's own name. */
  readonly plugin: string;
  readonly file: string;
  readonly isIsolated: boolean;
  readonly version?: string;
  /** The range of SDK versions in its package.json. */
  readonly sdk?: string;
  readonly permissions: Required<PluginPermissions>;
  readonly integrity: ContentHash;
}

interface Usable {
  readonly plugin: Plugin;
  readonly file: PluginFile;
  readonly isolated?: LoadedIsolated;
}

type Outcome = Usable | Refused;

const whereToFind = (name: string, folder: string): string => {
  const found = findPluginFolder(name, folder);
  if (found !== undefined)
    return `The folder ${found} has no module to load. Build the package first, and name its module under "exports" in package.json.`;
  return isPath(name) ? `Paths are relative to ${folder}.` : `Install it: npm install --prefix ${folder} ${name}`;
};

const notFound = (name: string, folder: string): ProblemText => ({
  code: 'plugin-not-found',
  message: `The plugin "${name}" was not found.`,
  hint: whereToFind(name, folder),
});

const usable = (
  plugin: Plugin,
  { file, manifest, isolated }: { file: string; manifest: Manifest | undefined; isolated?: LoadedIsolated },
): Usable => {
  const integrity = plugin.integrity?.() ?? pluginHash(file, manifest);
  const permissions = toPermissions(manifest?.permissions ?? plugin.permissions);
  const { version, sdk = manifest?.gatewright } = manifest ?? {};
  return {
    plugin: isolated === undefined ? { ...plugin, permissions, integrity: () => integrity } : plugin,
    file: {
      plugin: plugin.name,
      file,
      isIsolated: isolated !== undefined,
      ...(version === undefined ? {} : { version }),
      ...(sdk === undefined ? {} : { sdk }),
      permissions,
      integrity,
    },
    ...(isolated === undefined ? {} : { isolated }),
  };
};

const loadInProcess = async (entry: PluginEntry, file: string, manifest: Manifest | undefined): Promise<Outcome> => {
  const loaded = await blameExit(entry.package, () => loadFile(entry, file));
  if ('problems' in loaded) return loaded;
  const error = permissionsError(entry.package, loaded.plugin.permissions);
  return error === undefined ? usable(loaded.plugin, { file, manifest }) : refused(error, entry);
};

const loadOne = async (entry: PluginEntry, folder: string, isolation: IsolationOptions): Promise<Outcome> => {
  let file: string | undefined;
  try {
    file = findPlugin(entry.package, folder);
    if (file === undefined) return refused(notFound(entry.package, folder), entry);
    const manifest = readManifest(file);
    const error = memoryError(entry) ?? findError(entry.package, manifest);
    if (error !== undefined) return refused(error, entry);
    if (entry.isolate !== true) return await loadInProcess(entry, file, manifest);
    // The folder that contains a file may be anything, for example the operator's own project.
    const isPackage = !isPath(entry.package) || resolve(folder, entry.package) !== file;
    const { owner } = isolation;
    const isolated = await (owner === undefined
      ? IsolatedPlugin.load({ entry, file, isPackage }, isolation)
      : OwnedPlugin.load(entry, owner));
    return 'problems' in isolated ? isolated : usable(isolated.plugin, { file, manifest, isolated });
  } catch (error) {
    return refused(loadFailure(entry.package, error, file ?? entry.package), entry);
  }
};

/** By default, plugins receive no variables, and their output is written to standard error. */
const defaultIsolation: IsolationOptions = {
  variables: {},
  log: (line) => process.stderr.write(`gw: ${line}\n`),
};

/**
 * Loads the plugins that a gateway file names, relative to its folder (a path or a `file:` URL), in addition to the built-in
 * ones. A plugin that cannot be used is reported as a problem with its position in the file. Never throws.
 */
export const loadPlugins = async (
  entries: readonly PluginEntry[],
  from: string | URL,
  isolation: IsolationOptions = defaultIsolation,
): Promise<LoadedPlugins> => {
  const folder = from instanceof URL || from.startsWith('file:') ? fileURLToPath(from) : from;
  const outcomes = await Promise.all(entries.map((entry) => loadOne(entry, folder, isolation)));
  const taken = takenByGateway(lazyBuiltinPlugins);
  const found: Usable[] = [];
  const problems: PluginProblem[] = [];
  for (const [at, entry] of entries.entries()) {
    const outcome = outcomes[at] ?? { problems: [] };
    if ('problems' in outcome) {
      problems.push(...outcome.problems);
      continue;
    }
    const clash = taken.take(outcome.plugin);
    if (clash === undefined) {
      found.push(outcome);
      continue;
    }
    outcome.isolated?.close();
    problems.push({
      code: 'duplicate-name',
      pointer: childPointer(entry.pointer, 'package'),
      message: `The plugin "${entry.package}" provides the ${clash.name}, which ${clash.owner} already provides.`,
      hint: clash.isBuiltin
        ? `${clash.owner} is part of the gateway. Rename what the plugin provides, or remove the plugin from the gateway file.`
        : 'Remove one of the two from the gateway file.',
    });
  }
  return {
    plugins: found.map(({ plugin }) => plugin),
    files: found.map(({ file }) => file),
    isolated: found.flatMap(({ isolated }) => isolated ?? []),
    problems,
  };
};
