import path from 'node:path';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import { rootPointer } from '../../schema/pointer.ts';
import type { CompiledFile } from './compiled-file.ts';
import { configFiles, displayPath } from './config-files.ts';
import { gatewayFileOf, readEnvironment } from './read-environment.ts';
import { readText } from './read-text.ts';
import { withSameNames } from './same-names.ts';
import type { CommandIo, CommandServices, Environment } from './services.ts';
import { UsageError } from './usage-error.ts';

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

/** A config that cannot be read has one finding, and the others are looked at. */
const unreadable = (file: string, { message, hint }: UsageError): CompiledFile => ({
  file,
  text: '',
  diagnostics: [
    {
      ...{ code: 'unreadable-file', severity: 'error', message, hint, file, pointer: rootPointer },
      span: { offset: 0, length: 0, line: 1, column: 1 },
    },
  ],
});

/** The text of a config, or what keeps it from being read. */
const textOf = async (io: CommandIo, file: string): Promise<string | CompiledFile> => {
  try {
    return await readText(io, path.normalize(file));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return unreadable(file, error);
  }
};

/**
 * Compiles the configs that arguments name, as an operator's. A gateway file that cannot be read makes configs refuse
 * what is only missing there, so nothing else is looked at. Throws a `UsageError` for a path where nothing is.
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
    const text = await textOf(io, file);
    if (typeof text !== 'string') {
      files.push(text);
      continue;
    }
    const { plan, diagnostics: found } = await services.compile(text, { environment, file, name });
    const diagnostics = broken === '' ? found : found.map((each) => withPlugin(each, broken));
    files.push(plan === undefined ? withoutPlan({ file, text, diagnostics }) : { file, text, plan, diagnostics });
  }
  return { environment, files: [...own, ...withSameNames(files)] };
};
