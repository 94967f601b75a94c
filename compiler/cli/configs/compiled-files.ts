import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { nowhere } from '../../diagnostics/reporter.ts';
import type { CompileThreads } from '../command-line/compile-threads.ts';
import type { CompiledConfig } from '../command-line/config-to-compile.ts';
import type { CommandIo, CommandServices, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { type ConfigFile, configFiles, displayPath, servedFiles } from '../files/config-files.ts';
import { readEnvironment, readGatewayFile } from '../files/read-environment.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { compileWithNames } from '../saved-configs/compile-with-names.ts';
import type { StoreNames } from '../saved-configs/store-names.ts';
import { embedderWarnings } from './embedder-warnings.ts';
import { readConfigText } from './read-config-text.ts';
import { withSameNames } from './same-names.ts';
import { withUnknownConfigs } from './unknown-configs.ts';
import { virtualModelWarnings } from './virtual-model-warnings.ts';
import { manyConfigs, withThreads } from './with-threads.ts';

export interface CompiledFiles {
  readonly environment: Environment;
  /** The gateway file first, if it has findings of its own; then the configs in the order in which they were named. */
  readonly files: readonly CompiledFile[];
  /** The gateway file itself, if there is one. */
  readonly gateway?: Pick<CompiledFile, 'file' | 'text'>;
  /** The threads that compiled them; absent if there were few files. */
  readonly threads?: CompileThreads | undefined;
}

export interface CompileFilesOptions {
  /** Empty for the gateway file itself and the configs that it serves. */
  readonly paths: readonly string[];
  /** The gateway file that `--config` names. */
  readonly config: string | undefined;
  /** Whether the sub-folders of folders are read too. */
  readonly deep?: boolean;
  /** Looks up names in a store. Without it, files can use only names that the gateway file saves. */
  readonly names?: StoreNames;
  /** Whether to warn about what other gateways for their format do not support. */
  readonly portable?: boolean;
  /** Whether only errors of a gateway file are reported if neither it nor a folder is named, but only files. */
  readonly namedOnly?: boolean;
  /** Whether findings are enough, so that plans need not be built. */
  readonly findingsOnly?: boolean;
  /** Whether threads write the plans as JSON, which takes less memory than the plans; false if absent. */
  readonly writes?: boolean;
  /** The number of configs from which threads are used to compile them. */
  readonly many?: number;
  /** Corrects each file after it was compiled, and returns the new result. */
  readonly mend?: (file: CompiledFile, compile: CompileText) => Promise<CompiledFile>;
}

/** The environment that a gateway file adds, with the text of the file. */
type GatewayEnvironment = Environment & { readonly text?: string };

/** Compiles another text of the same file. */
export type CompileText = (text: string) => Promise<CompiledFile>;

/** The codes of diagnostics about names that a plugin that could not be loaded may have provided. */
const ofPlugins: ReadonlySet<string> = new Set(['unknown-provider', 'unknown-check', 'unknown-balance']);

/** Adds to a finding that a broken plugin may be the reason, unless a similar name is known. */
const withPlugin = (found: Diagnostic, broken: string): Diagnostic =>
  ofPlugins.has(found.code) && found.hint?.startsWith('Did you mean') !== true
    ? { ...found, hint: `It may be provided by ${broken}, which could not be loaded.` }
    : found;

/** Returns a config that cannot be read as one finding, so that the others are still checked. */
const unreadable = (file: string, { message, hint }: UsageError): CompiledFile => ({
  file,
  text: '',
  diagnostics: [
    { code: 'unreadable-file', severity: 'error', message, hint, file, pointer: rootPointer, span: nowhere },
  ],
});

/** Returns the text of a config, or the finding about why it cannot be read. */
const toText = async (io: CommandIo, source: ConfigFile): Promise<string | CompiledFile> => {
  try {
    return await readConfigText(io, source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return unreadable(source.file, error);
  }
};

/** Lists the diagnostics of the gateway file itself. */
export const gatewayDiagnostics = (
  { diagnostics, text = '' }: GatewayEnvironment,
  gatewayFile: string | undefined,
  cwd: string,
): readonly CompiledFile[] =>
  gatewayFile === undefined || diagnostics.length === 0
    ? []
    : [{ file: displayPath(gatewayFile, cwd), text, diagnostics }];

/** Corrects the gateway file, and returns the environment that it then adds. */
const mendGatewayFile = async (
  services: CommandServices,
  {
    gatewayFile,
    read,
    mend,
  }: {
    readonly gatewayFile: string | undefined;
    readonly read: GatewayEnvironment;
    readonly mend: CompileFilesOptions['mend'];
  },
): Promise<GatewayEnvironment> => {
  if (gatewayFile === undefined || mend === undefined) return read;
  const file = displayPath(gatewayFile, services.io.cwd);
  let current = read;
  const { text } = await mend({ file, text: read.text ?? '', diagnostics: read.diagnostics }, async (given) => {
    const environment = await services.environment(gatewayFile, given);
    current = { ...environment, text: given };
    return { file, text: given, diagnostics: environment.diagnostics };
  });
  if (text === read.text) return read;
  return current.text === text ? current : { ...(await services.environment(gatewayFile, text)), text };
};

/**
 * Compiles the configs that arguments name, as an operator's. If the gateway file cannot be read, configs would be rejected for
 * names that are only missing there, so nothing else is checked. Throws a `UsageError` for a path that does not exist.
 */
export const compileFiles = async (
  services: CommandServices,
  {
    paths,
    config,
    deep = false,
    names,
    portable = false,
    namedOnly = false,
    findingsOnly = false,
    writes = false,
    many = manyConfigs.plain,
    mend,
  }: CompileFilesOptions,
): Promise<CompiledFiles> => {
  const { io } = services;
  const gatewayFile = await readGatewayFile(services, config);
  const named = await configFiles(io, paths, { gatewayFile, deep });
  const read = await readEnvironment(services, gatewayFile);
  const { text: gatewayText = '', ...environment } = await mendGatewayFile(services, { gatewayFile, read, mend });
  const isItself = paths.length === 0;
  const isBeside = namedOnly && !isItself && config === undefined && named.every(({ isListed }) => !isListed);
  const concerning = (found: readonly Diagnostic[]): readonly Diagnostic[] =>
    isBeside ? found.filter(({ severity }) => severity === 'error') : found;
  const gateway = gatewayFile === undefined ? undefined : { file: displayPath(gatewayFile, io.cwd), text: gatewayText };
  const ownFindings = (found: Environment): readonly CompiledFile[] =>
    isItself && gateway !== undefined
      ? [{ ...gateway, diagnostics: found.diagnostics }]
      : gatewayDiagnostics(
          { ...found, text: gatewayText, diagnostics: concerning(found.diagnostics) },
          gatewayFile,
          io.cwd,
        );
  const { brokenPlugins = [], configsFolder } = environment;
  const sources = isItself && configsFolder !== undefined ? await servedFiles(io, configsFolder, gatewayFile) : named;
  const broken = brokenPlugins.map((name) => `the plugin "${name}"`).join(' or ');
  const toFile = (file: string, text: string, result: CompiledConfig): CompiledFile => {
    const { plan, name, written, diagnostics: found } = result;
    const diagnostics = broken === '' ? found : found.map((each) => withPlugin(each, broken));
    const made = { ...(plan && { plan }), ...(name !== undefined && { name }), ...(written && { written }) };
    return { file, text, ...made, diagnostics };
  };
  const compileHere = async ({ file, name }: ConfigFile, text: string): Promise<CompiledFile> => {
    const compiling = { environment, file, name, portable, findingsOnly };
    const result = await (names === undefined
      ? services.compile(text, compiling)
      : compileWithNames(services, { ...compiling, text, names }));
    return toFile(file, text, result);
  };
  if (environment.unread === true) {
    // If an argument names it as a config, it has its own mistakes and is of another kind.
    const asConfig = named.find(
      ({ file }) => file === gateway?.file && paths.some((each) => displayPath(each, io.cwd) === file),
    );
    const { diagnostics = [] } = asConfig === undefined ? {} : await compileHere(asConfig, gatewayText);
    const others = diagnostics.filter(({ code }) => code === 'wrong-file');
    return {
      environment,
      files: ownFindings({ ...environment, diagnostics: [...others, ...environment.diagnostics] }),
    };
  }
  /** Compiles a file in a thread. Returns its text instead if it uses a name that only a store may have. */
  const compileThere = async (source: ConfigFile, threads: CompileThreads): Promise<CompiledFile | string> => {
    const text = await toText(io, source);
    if (typeof text !== 'string') return text;
    const { file, name } = source;
    const result = await threads.compile({ text, file, name, portable, findingsOnly, writes });
    return names !== undefined && result.missing.length > 0 ? text : toFile(file, text, result);
  };
  const isOwnCode = (environment.pluginDetails ?? []).length === 0 && broken === '';
  const threads =
    isOwnCode && mend === undefined && sources.length >= many
      ? await services.threads?.(gatewayFile, gatewayFile === undefined ? undefined : gatewayText)
      : undefined;
  const begun = threads && (await withThreads(sources, threads, (source) => compileThere(source, threads)));
  const files: CompiledFile[] = [];
  for (const [index, source] of sources.entries()) {
    const text = begun?.[index] ?? (await toText(io, source));
    if (typeof text !== 'string') {
      files.push(text);
      continue;
    }
    const compiled = await compileHere(source, text);
    files.push(mend === undefined ? compiled : await mend(compiled, (given) => compileHere(source, given)));
  }
  const judged = await withUnknownConfigs(io, environment, { gatewayFile, sources, files });
  const warnings = isBeside
    ? []
    : [...(await virtualModelWarnings(services, environment)), ...(await embedderWarnings(services, environment))];
  const own = ownFindings({ ...judged, diagnostics: [...judged.diagnostics, ...warnings] });
  return { environment, files: [...own, ...withSameNames(files)], threads, ...(gateway && { gateway }) };
};
