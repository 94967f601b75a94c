import { pathToFileURL } from 'node:url';
import { isJsonObject } from '../../../schema/json/json.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { errorCode } from '../../../schema/text/error-code.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { printable } from '../../../schema/text/printable.ts';
import { toSentence } from '../../../schema/text/to-sentence.ts';
import { type Plugin, pluginApi } from '../../sdk/plugin/plugin.ts';
import { bindOptions } from './bind-options.ts';
import { notPlugin } from './not-plugin.ts';
import { type PluginEntry, type ProblemText, type Refused, refused } from './plugin-entry.ts';
import { isPlugin, pluginErrors } from './plugin-errors.ts';

/** Matches Node's messages about `import`, `export` and the like in a file that it loads as CommonJS. */
const esmOnly = /outside a module|Unexpected token 'export'|'import\.meta'|await is only valid|top-level await/i;

/**
 * Returns a hint for an ES module that Node loaded as CommonJS, as it does with `.js` and `.ts` files of a package created by
 * `npm init -y`. Returns `undefined` if the error has another cause.
 */
const commonJsHint = (error: unknown, file: string): string | undefined => {
  if (!(error instanceof SyntaxError) || !esmOnly.test(error.message)) return undefined;
  const [, end = ''] = /\.([jt]s)x?$/.exec(file) ?? [];
  if (end === '') return undefined;
  return `Node loads this ES module as CommonJS. Rename the file to .m${end}, or run: npm pkg set type=module`;
};

/** A plugin with its options bound, and as its module exports it. */
export interface LoadedFile {
  readonly plugin: Plugin;
  readonly exported: Plugin;
}

const failureHint = (error: unknown, file: string): string => {
  if (errorCode(error) === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return 'A package must ship JavaScript, because Node runs TypeScript only outside node_modules.';
  if (errorCode(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node only removes types: compile the plugin to JavaScript. "erasableSyntaxOnly" in tsconfig.json finds such syntax.';
  const commonJs = commonJsHint(error, file);
  // Node reports the place of a missing import, but not of a syntax error.
  if (commonJs === undefined && error instanceof SyntaxError && !error.stack?.startsWith('file:'))
    return `Correct the plugin: node --check ${file} shows the line.`;
  return commonJs ?? 'Correct the plugin, or remove it from the gateway file.';
};

/** Returns the message of an error on one line, without the list of files that Node adds if CommonJS requires a missing module. */
const oneLine = (error: unknown): string => {
  const [text = ''] = errorText(error).split('\nRequire stack:');
  return printable(text.replaceAll(/\s*\n\s*/g, ' '));
};

/** Reports a plugin whose module throws when it is imported. */
export const loadFailure = (name: string, error: unknown, file: string): ProblemText => ({
  code: 'plugin-failed',
  message: `The plugin "${name}" failed to load: ${toSentence(oneLine(error))}`,
  hint: failureHint(error, file),
});

/** In a package compiled to CommonJS, the default export is inside the module's default export. */
const defaultExport = (module: { readonly default?: unknown }): unknown => {
  const exported = module.default;
  return isJsonObject(exported) && !('api' in exported) && 'default' in exported ? exported.default : exported;
};

const checked = (exported: unknown, entry: PluginEntry): Plugin | Refused => {
  const name = entry.package;
  const api: unknown = isJsonObject(exported) ? exported.api : undefined;
  if (typeof api === 'number' && api !== pluginApi)
    return refused(
      {
        code: 'wrong-plugin-api',
        message: `The plugin "${name}" requires plugin API ${api}, but this gateway has API ${pluginApi}.`,
        hint: `Install a version of it for API ${pluginApi}.`,
      },
      entry,
    );
  if (api !== pluginApi || !isPlugin(exported)) {
    const errors =
      api === pluginApi ? pluginErrors(exported) : ['its default export was not created with definePlugin'];
    return refused(notPlugin(name, errors, api === pluginApi), entry);
  }
  return exported;
};

/** A module may wait for something that never happens. A process that waits for it would hang, or exit without an error. */
const longestLoadMs = 10_000;

const imported = async (file: string): Promise<{ readonly default?: unknown }> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const reason = `it is not ready after ${longestLoadMs / 1000} seconds; something that it awaits never settles.`;
    timer = setTimeout(() => reject(new Error(reason)), longestLoadMs);
  });
  try {
    return await Promise.race([import(pathToFileURL(file).href), late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Imports the module of a plugin and validates what it exports. Never throws. */
export const importPlugin = async (entry: PluginEntry, file: string): Promise<Plugin | Refused> => {
  try {
    return checked(defaultExport(await imported(file)), entry);
  } catch (error) {
    return refused(loadFailure(entry.package, error, file), entry);
  }
};

const withOptions = (plugin: Plugin, entry: PluginEntry): LoadedFile | Refused => {
  const bound = bindOptions(plugin, entry.options);
  if (bound.kind === 'bound') return { plugin: bound.plugin, exported: plugin };
  return {
    problems: bound.errors.map(({ path, message, hint }) => ({
      code: 'wrong-plugin-options',
      pointer: childPointer(entry.pointer, ...(entry.options === undefined ? [] : ['options']), ...path),
      message: `The options of the plugin "${entry.package}" are not valid: ${message}`,
      hint,
    })),
  };
};

/** Imports the module of a plugin, and binds the options of its entry. Never throws. */
export const loadFile = async (entry: PluginEntry, file: string): Promise<LoadedFile | Refused> => {
  const plugin = await importPlugin(entry, file);
  return 'problems' in plugin ? plugin : withOptions(plugin, entry);
};
