import path from 'node:path';
import type { Saved } from '../../../schema/config/saved.ts';
import type { MissingName } from '../../../schema/config/saved-names.ts';
import type { CompiledConfig } from '../command-line/config-to-compile.ts';
import type { CommandServices, CompileCommandOptions, Environment } from '../command-line/services.ts';
import { partlyReadNames, replaceNames, reportStoreNames } from './replace-names.ts';
import { mergeSaved, type StoreNames } from './store-names.ts';

type Compile = (saved: Saved) => CompiledConfig | Promise<CompiledConfig>;

interface Compiled extends CompiledConfig {
  /** Every name that was missing before the store was queried. */
  readonly sought: readonly MissingName[];
  readonly saved: Saved;
}

/** Compiles until no more names are missing, because a prompt that was found may name a provider. */
export const compileWithStore = async (
  compile: Compile,
  names: StoreNames,
  withNames: (found: Saved) => Saved,
): Promise<Compiled> => {
  const sought: MissingName[] = [];
  for (;;) {
    const saved = withNames(names.saved);
    const result = await compile(saved);
    const before = new Set(sought.map(({ kind, name, at }) => `${kind} ${name} ${at}`));
    sought.push(...result.missing.filter(({ kind, name, at }) => !before.has(`${kind} ${name} ${at}`)));
    if (!(await names.ask(result.missing))) return { ...result, sought, saved };
  }
};

/** Whether a file is in the gateway's own folder of configs, which the gateway reads without a store. */
const isOwnConfig = (file: string, { configsFolder }: Environment, cwd: string): boolean =>
  configsFolder !== undefined && path.dirname(path.resolve(cwd, file)) === configsFolder;

/**
 * Compiles a file. Names that the gateway file does not have are looked up in the store, if there is one. For a config in the
 * gateway's own folder, the findings only state that the names exist.
 */
export const compileWithNames = async (
  { compile, io }: Pick<CommandServices, 'compile' | 'io'>,
  { text, names, ...options }: CompileCommandOptions & { readonly text: string; readonly names: StoreNames },
): Promise<CompiledConfig> => {
  const { environment, file } = options;
  const compileIn = (saved: Saved) => compile(text, { ...options, environment: { ...environment, saved } });
  if (isOwnConfig(file, environment, io.cwd)) {
    const result = await compileIn(environment.saved);
    const { missing } = result;
    await names.ask(missing);
    const store = missing.length === 0 ? undefined : await names.store();
    if (store === undefined) return result;
    const { origin } = store;
    return { ...result, diagnostics: reportStoreNames(result.diagnostics, { names, missing, origin }) };
  }
  const { sought, saved, ...result } = await compileWithStore(compileIn, names, (found) =>
    mergeSaved(found, environment.saved),
  );
  const store = sought.length === 0 ? undefined : await names.store();
  if (store === undefined) return result;
  const { origin } = store;
  const diagnostics = [
    ...replaceNames(result.diagnostics, { names, missing: sought, saved, origin }),
    ...partlyReadNames(text, { names, missing: sought, file }),
  ];
  return { ...result, diagnostics };
};
