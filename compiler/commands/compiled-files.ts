import path from 'node:path';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import type { CompiledFile } from './compiled-file.ts';
import { configFiles, displayPath } from './config-files.ts';
import { gatewayFileOf, readEnvironment } from './read-environment.ts';
import { readText } from './read-text.ts';
import { withSameNames } from './same-names.ts';
import type { CommandServices, Environment } from './services.ts';

export interface CompiledFiles {
  readonly environment: Environment;
  /** The gateway file first, where it has findings of its own; then the configs in the order they were named. */
  readonly files: readonly CompiledFile[];
}

const withoutPlan = ({ file, text, diagnostics }: CompiledFile): CompiledFile => ({ file, text, diagnostics });

export interface CompileFilesOptions {
  readonly paths: readonly string[];
  /** The gateway file that `--config` names. */
  readonly config: string | undefined;
  /** Whether the sub-folders of folders are read as well. */
  readonly deep?: boolean;
}

/** What a plugin that could not be loaded may have provided. */
const ofPlugins: ReadonlySet<string> = new Set(['unknown-provider', 'unknown-check']);

/** A finding that a plugin may be the reason for says so, unless a name like it is known. */
const withPlugin = (found: Diagnostic, broken: string): Diagnostic =>
  ofPlugins.has(found.code) && found.hint?.startsWith('Did you mean') !== true
    ? { ...found, hint: `It may be provided by ${broken}, which could not be loaded.` }
    : found;

/**
 * Compiles the configs that arguments name, as an operator's. A gateway file that cannot be read makes configs refuse
 * what is only missing there, so nothing else is looked at. Throws a `UsageError` for a path that cannot be read.
 */
export const compileFiles = async (
  services: CommandServices,
  { paths, config, deep = false }: CompileFilesOptions,
): Promise<CompiledFiles> => {
  const { io } = services;
  const gatewayFile = await gatewayFileOf(services, config);
  const sources = await configFiles(io, paths, { gatewayFile, deep });
  const { text: gatewayText = '', ...environment } = await readEnvironment(services, gatewayFile);
  const own: readonly CompiledFile[] =
    gatewayFile === undefined || environment.diagnostics.length === 0
      ? []
      : [{ file: displayPath(gatewayFile, io.cwd), text: gatewayText, diagnostics: environment.diagnostics }];
  if (environment.unread === true) return { environment, files: own };
  const { brokenPlugins = [] } = environment;
  const broken = brokenPlugins.map((name) => `the plugin "${name}"`).join(' or ');
  const files: CompiledFile[] = [];
  for (const { file, name } of sources) {
    const text = await readText(io, path.normalize(file));
    const { plan, diagnostics: found } = await services.compile(text, { environment, file, name });
    const diagnostics = broken === '' ? found : found.map((each) => withPlugin(each, broken));
    files.push(plan === undefined ? withoutPlan({ file, text, diagnostics }) : { file, text, plan, diagnostics });
  }
  return { environment, files: [...own, ...withSameNames(files)] };
};
