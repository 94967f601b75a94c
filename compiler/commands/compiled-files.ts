import path from 'node:path';
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

/**
 * Compiles the configs that arguments name, as an operator's. A gateway file with errors makes configs refuse what is
 * only missing there, so that nothing else is looked at. Throws a `UsageError` for a path that cannot be read.
 */
export const compileFiles = async (
  services: CommandServices,
  paths: readonly string[],
  config: string | undefined,
): Promise<CompiledFiles> => {
  const { io } = services;
  const gatewayFile = await gatewayFileOf(services, config);
  const sources = await configFiles(io, paths, gatewayFile);
  const { text: gatewayText = '', ...environment } = await readEnvironment(services, gatewayFile);
  const own: readonly CompiledFile[] =
    gatewayFile === undefined || environment.diagnostics.length === 0
      ? []
      : [{ file: displayPath(gatewayFile, io.cwd), text: gatewayText, diagnostics: environment.diagnostics }];
  if (environment.diagnostics.some(({ severity }) => severity === 'error')) return { environment, files: own };
  const files: CompiledFile[] = [];
  for (const { file, name } of sources) {
    const text = await readText(io, path.normalize(file));
    const { plan, diagnostics } = services.compile(text, { environment, file, name });
    files.push(plan === undefined ? withoutPlan({ file, text, diagnostics }) : { file, text, plan, diagnostics });
  }
  return { environment, files: [...own, ...withSameNames(files)] };
};
