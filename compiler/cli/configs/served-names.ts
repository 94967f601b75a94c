import { isJsonObject } from '../../../schema/json/json.ts';
import { planFileName } from '../../../schema/plan/plan-file-name.ts';
import { planName } from '../../lower/plan-name.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { type ConfigFile, servedFiles } from '../files/config-files.ts';
import { readConfigText } from './read-config-text.ts';

/** Returns the name under which a config is served, even if the config has errors. */
export const servedName = (text: string, { file, name }: Pick<ConfigFile, 'file' | 'name'>): string => {
  const { document } = parseConfig(text, { file, isFile: true });
  const value = document?.value;
  const own = isJsonObject(value) && typeof value.name === 'string' ? value.name : undefined;
  return planFileName(planName(own, { trust: 'operator', name }));
};

/** Does the same for a file; uses the name of the file if it cannot be read. */
export const nameOf = async (io: CommandIo, source: ConfigFile): Promise<string> => {
  try {
    return servedName(await readConfigText(io, source), source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return planFileName(source.name);
  }
};

interface ServedFolder {
  /** Absolute; absent if the gateway file names no folder. */
  readonly folder: string | undefined;
  readonly gatewayFile: string | undefined;
}

/** Returns the file in a gateway's folder of configs that is served under a name. */
export const servedFileOf = async (
  io: CommandIo,
  name: string,
  { folder, gatewayFile }: ServedFolder,
): Promise<string | undefined> => {
  if (folder === undefined) return undefined;
  for (const source of await servedFiles(io, folder, gatewayFile))
    if ((await nameOf(io, source)) === name) return source.file;
  return undefined;
};
