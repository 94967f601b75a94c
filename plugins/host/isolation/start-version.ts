import type { ContentHash } from '../../../schema/json/canonical.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { type PluginPermissions, pluginApi } from '../../sdk/plugin/plugin.ts';
import { findError } from '../loading/find-error.ts';
import { type Manifest, readManifest } from '../loading/manifest.ts';
import { notPlugin } from '../loading/not-plugin.ts';
import { type PluginEntry, type ProblemText, type Refused, refused } from '../loading/plugin-entry.ts';
import { pluginErrors } from '../loading/plugin-errors.ts';
import { pluginHash } from '../loading/plugin-hash.ts';
import type { PluginProblem } from '../loading/plugin-problem.ts';
import { readPermissions } from '../loading/read-permissions.ts';
import { PluginVersion, type PluginVersionOptions } from './plugin-version.ts';
import type { DescribedPlugin } from './protocol/protocol.ts';
import { readDescribed } from './protocol/read-described.ts';
import { readablePaths } from './spawning/readable-paths.ts';

/** A process that is ready. */
export type ReadyProcess = Pick<PluginVersion, 'pid' | 'size' | 'run' | 'ask' | 'release' | 'retire' | 'kill'>;

/** A version of a plugin whose process is ready. */
export interface ReadyVersion {
  readonly process: ReadyProcess;
  readonly described: DescribedPlugin;
  readonly permissions: Required<PluginPermissions>;
  readonly integrity: ContentHash;
}

export interface StartVersionOptions
  extends Pick<
    PluginVersionOptions,
    'entry' | 'file' | 'timers' | 'printed' | 'died' | 'occupied' | 'shares' | 'spawner'
  > {
  /** Whether the entry names a package. */
  readonly isPackage: boolean;
  /** The variables from which the plugin receives those that it declares. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const defaultMemoryMb = 256;
/** Longer than a module may take to load, so that the process can report that itself, even if a busy machine starts it slowly. */
const longestStartMs = 20_000;

const chosen = (
  names: readonly string[],
  variables: StartVersionOptions['variables'],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Problems come from the process, where the plugin could write them too. */
const plainProblems = (problems: unknown, { pointer }: PluginEntry): readonly PluginProblem[] =>
  (Array.isArray(problems) ? problems : []).filter(isJsonObject).map((problem) => ({
    code: problem.code === 'wrong-plugin-options' ? 'wrong-plugin-options' : 'plugin-failed',
    pointer:
      problem.code === 'wrong-plugin-options' && readText(problem.pointer).startsWith(pointer)
        ? (readText(problem.pointer) as PluginProblem['pointer'])
        : childPointer(pointer, 'package'),
    message: readText(problem.message),
    hint: readText(problem.hint),
  }));

const failed = (name: string, why: string): ProblemText => ({
  code: 'plugin-failed',
  message: `The plugin "${name}" failed to load: ${why}.`,
  hint: 'Correct the plugin, or remove it from the gateway file.',
});

const describedError = (name: string, plugin: DescribedPlugin): ProblemText | undefined => {
  const { beside, guardrails } = plugin;
  if (beside.length > 0)
    return {
      code: 'not-isolable',
      message: `The plugin "${name}" cannot be isolated: only checks can run in a separate process, but it also has ${beside.map((each) => `"${each}"`).join(', ')}.`,
      hint: 'Remove "isolate" from its entry, or move the checks to a separate plugin.',
    };
  const proxies = guardrails.map((guardrail) => ({ ...guardrail, create: () => {} }));
  const errors = pluginErrors({ name: plugin.name, api: pluginApi, guardrails: proxies });
  return errors.length === 0 ? undefined : notPlugin(name, errors, true);
};

/**
 * Only this timer keeps the gateway's process running in the meantime. It continues until the other process is known to have
 * ended.
 */
const startedInTime = (version: PluginVersion, { timers }: StartVersionOptions): PluginVersion['started'] => {
  let stop = (): void => {};
  const wait = (): void => {
    stop = timers.after(longestStartMs, () => {
      version.kill(`it did not load within ${longestStartMs / 1000} seconds`);
      wait();
    });
  };
  wait();
  return version.started.finally(() => stop());
};

const readyVersion = async (
  version: PluginVersion,
  options: StartVersionOptions,
  declared: { readonly manifest: Manifest | undefined; readonly permissions: { current: Required<PluginPermissions> } },
): Promise<Omit<ReadyVersion, 'integrity'> | Refused> => {
  const { entry, variables } = options;
  const name = entry.package;
  const started = await startedInTime(version, options);
  if ('why' in started) return refused(failed(name, started.why), entry);
  if ('problems' in started) return { problems: plainProblems(started.problems, entry) };
  const described = readDescribed(started.plugin);
  if (described === undefined) return refused(failed(name, 'its process did not describe it as a plugin'), entry);
  const error = describedError(name, described);
  if (error !== undefined) return refused(error, entry);
  if (declared.manifest?.permissions === undefined) {
    const own = readPermissions(described.permissions);
    if (own.errors !== undefined)
      return refused(failed(name, `its permissions are not valid: ${own.errors.join('; ')}`), entry);
    declared.permissions.current = own.permissions;
    version.setEnvironment(chosen(own.permissions.environment, variables));
  }
  return { process: version, described, permissions: declared.permissions.current };
};

/** Starts a process for a plugin with its current files. Never throws. */
export const startVersion = async (options: StartVersionOptions): Promise<ReadyVersion | Refused> => {
  const { entry, file, isPackage, variables } = options;
  try {
    const manifest = readManifest(file);
    const error = findError(entry.package, manifest);
    if (error !== undefined) return refused(error, entry);
    const read = readPermissions(manifest?.permissions);
    const permissions = {
      current: read.errors === undefined ? read.permissions : { hosts: [], environment: [], hooks: [] },
    };
    const integrity = pluginHash(file, manifest);
    const version = new PluginVersion({
      ...options,
      environment: chosen(permissions.current.environment, variables),
      readable: readablePaths({ file, isPackage, manifest }),
      memoryMb: entry.memory_mb ?? defaultMemoryMb,
      hosts: () => permissions.current.hosts,
    });
    const ready = await readyVersion(version, options, { manifest, permissions });
    if ('process' in ready) return { ...ready, integrity };
    version.kill();
    return ready;
  } catch (error) {
    return refused(failed(entry.package, errorText(error)), entry);
  }
};
