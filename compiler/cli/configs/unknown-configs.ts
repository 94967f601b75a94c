import type { CommandIo, Environment } from '../command-line/services.ts';
import { type ConfigFile, servedFiles } from '../files/config-files.ts';
import type { CompiledFile } from '../report/compiled-file.ts';
import { nameOf, servedName } from './served-names.ts';

interface Known {
  readonly gatewayFile: string | undefined;
  /** The compiled configs. They may be in other folders, because a gateway can serve their plans. */
  readonly sources: readonly ConfigFile[];
  readonly files: readonly CompiledFile[];
}

/**
 * Reports each place where a gateway file names a config that its folder does not have. Without a folder of configs, only `gw
 * serve --plans` knows which configs exist, and nothing is reported.
 */
export const withUnknownConfigs = async <From extends Environment>(
  io: CommandIo,
  environment: From,
  { gatewayFile, sources, files }: Known,
): Promise<From> => {
  const { configsFolder, unknownConfigs, diagnostics } = environment;
  if (configsFolder === undefined || unknownConfigs === undefined) return environment;
  const served = await Promise.all(
    (await servedFiles(io, configsFolder, gatewayFile)).map((source) => nameOf(io, source)),
  );
  const checked = sources.map((source, index) => servedName(files[index]?.text ?? '', source));
  const names = [...new Set([...served, ...checked])];
  return { ...environment, diagnostics: [...diagnostics, ...(await unknownConfigs(names))] };
};
