import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorText } from '../schema/error-text.ts';
import { isJsonObject, type JsonObject } from '../schema/json.ts';
import { childPointer, type JsonPointer } from '../schema/pointer.ts';
import { lazyBuiltinPlugins } from './lazy-builtin.ts';
import { bindOptions } from './loading/bind-options.ts';
import { findPlugin, isPath } from './loading/find-plugin.ts';
import { isPlugin, pluginFaults } from './loading/plugin-faults.ts';
import type { PluginProblem } from './loading/plugin-problem.ts';
import { commonJsHint } from './loading/read-as-commonjs.ts';
import { TakenNames } from './loading/taken-names.ts';
import { type Plugin, pluginApi } from './sdk/plugin.ts';

/** One item of `plugins` in the gateway file. */
export interface PluginEntry {
  /** A package's name, or a path that begins with a dot. */
  readonly package: string;
  readonly options?: JsonObject;
  /** The position of the item in the gateway file. */
  readonly pointer: JsonPointer;
}

export interface LoadedPlugins {
  /** The usable plugins, in the order of their entries, each with its options bound to `apply`. */
  readonly plugins: readonly Plugin[];
  /** The file that each of them was loaded from. */
  readonly files: readonly PluginFile[];
  readonly problems: readonly PluginProblem[];
}

export interface PluginFile {
  /** The plugin's own name. */
  readonly plugin: string;
  readonly file: string;
}

interface Refused {
  readonly problems: readonly PluginProblem[];
}

type Checked = { readonly plugin: Plugin } | Refused;

type Outcome = { readonly plugin: Plugin; readonly file: string } | Refused;

type ProblemText = Pick<PluginProblem, 'code' | 'message' | 'hint'>;

const problem = (text: ProblemText, { pointer }: PluginEntry): Refused => ({
  problems: [{ ...text, pointer: childPointer(pointer, 'package') }],
});

const notFound = (name: string, folder: string): ProblemText => ({
  code: 'plugin-not-found',
  message: `The plugin "${name}" was not found.`,
  hint: isPath(name) ? `Paths are relative to ${folder}.` : `Install it: npm install --prefix ${folder} ${name}`,
});

const failureHint = (error: unknown, file: string): string => {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return 'A package must ship JavaScript, because Node runs TypeScript only outside node_modules.';
  return commonJsHint(error, file) ?? 'Correct the plugin, or remove it from the gateway file.';
};

const failed = (name: string, error: unknown, file: string): ProblemText => ({
  code: 'plugin-failed',
  message: `The plugin "${name}" failed to load: ${errorText(error)}`,
  hint: failureHint(error, file),
});

/** A package that was compiled to CommonJS has its default export inside the module's. */
const defaultExport = (module: { readonly default?: unknown }): unknown => {
  const exported = module.default;
  return isJsonObject(exported) && !('api' in exported) && 'default' in exported ? exported.default : exported;
};

const withOptions = (plugin: Plugin, entry: PluginEntry): Checked => {
  const bound = bindOptions(plugin, entry.options);
  if (bound.kind === 'bound') return bound;
  return {
    problems: bound.faults.map(({ path, message, hint }) => ({
      code: 'wrong-plugin-options',
      pointer: childPointer(entry.pointer, ...(entry.options === undefined ? [] : ['options']), ...path),
      message: `The options of the plugin "${entry.package}" are not valid: ${message}`,
      hint,
    })),
  };
};

const checked = (exported: unknown, entry: PluginEntry): Checked => {
  const name = entry.package;
  const api: unknown = isJsonObject(exported) ? exported.api : undefined;
  if (typeof api === 'number' && api !== pluginApi)
    return problem(
      {
        code: 'wrong-plugin-api',
        message: `The plugin "${name}" requires plugin API ${api}, but this gateway has API ${pluginApi}.`,
        hint: `Install a version of it for API ${pluginApi}.`,
      },
      entry,
    );
  if (api !== pluginApi || !isPlugin(exported)) {
    const faults = api === pluginApi ? pluginFaults(exported) : ['its default export was not made with definePlugin'];
    return problem(
      {
        code: 'not-a-plugin',
        message: `The package "${name}" does not export a plugin: ${faults.join('; ')}.`,
        hint: 'Export the plugin as the default export of the module: export default definePlugin({ … }).',
      },
      entry,
    );
  }
  return withOptions(exported, entry);
};

/** A module may wait for something that never comes; a process that waits with it would hang, or end without a word. */
const longestLoadMs = 10_000;

const imported = async (file: string): Promise<{ readonly default?: unknown }> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `it is not ready after ${longestLoadMs / 1000} seconds; something that it awaits never comes.`;
    timer = setTimeout(() => reject(new Error(reason)), longestLoadMs);
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href), late]);
  } finally {
    clearTimeout(timer);
  }
};

const loadOne = async (entry: PluginEntry, folder: string): Promise<Outcome> => {
  let file: string | undefined;
  try {
    file = findPlugin(entry.package, folder);
    if (file === undefined) return problem(notFound(entry.package, folder), entry);
    const result = checked(defaultExport(await imported(file)), entry);
    return 'plugin' in result ? { ...result, file } : result;
  } catch (error) {
    return problem(failed(entry.package, error, file ?? entry.package), entry);
  }
};

/**
 * Loads the plugins that a gateway file names, relative to its folder (a path or a `file:` URL), in addition to the
 * built-in ones. A plugin that cannot be used is a problem with its position in the file; it never throws.
 */
export const loadPlugins = async (entries: readonly PluginEntry[], from: string | URL): Promise<LoadedPlugins> => {
  const folder = from instanceof URL || from.startsWith('file:') ? fileURLToPath(from) : from;
  const outcomes = await Promise.all(entries.map((entry) => loadOne(entry, folder)));
  const taken = new TakenNames(lazyBuiltinPlugins);
  const plugins: Plugin[] = [];
  const files: PluginFile[] = [];
  const problems: PluginProblem[] = [];
  for (const [at, entry] of entries.entries()) {
    const outcome = outcomes[at] ?? { problems: [] };
    if ('problems' in outcome) {
      problems.push(...outcome.problems);
      continue;
    }
    const clash = taken.take(outcome.plugin);
    if (clash === undefined) {
      plugins.push(outcome.plugin);
      files.push({ plugin: outcome.plugin.name, file: outcome.file });
    } else
      problems.push({
        code: 'duplicate-name',
        pointer: childPointer(entry.pointer, 'package'),
        message: `The plugin "${entry.package}" provides the ${clash.name}, which ${clash.owner} already provides.`,
        hint: 'Remove one of the two from the gateway file.',
      });
  }
  return { plugins, files, problems };
};
