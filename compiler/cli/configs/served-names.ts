import { isJsonObject } from '../../../schema/json/json.ts';
import { planFileName } from '../../../schema/plan/plan-file-name.ts';
import { planName } from '../../lower/plan-name.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { CommandIo } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { type ConfigFile, servedFiles } from '../files/config-files.ts';
import { readConfigText } from './read-config-text.ts';

/** The name by which a config is served, whatever else is wrong in it. */
export const servedName = (text: string, { file, name }: Pick<ConfigFile, 'file' | 'name'>): string => {
  const { document } = parseConfig(text, { file, isFile: true });
  const value = document?.value;
  const own = isJsonObject(value) && typeof value.name === 'string' ? value.name : undefined;
  return planFileName(planName(own, { trust: 'operator', name }));
};

/** The same of a file, by its name where it cannot be read. */
export const nameOf = async (io: CommandIo, source: ConfigFile): Promise<string> => {
  try {
    return servedName(await readConfigText(io, source), source);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return planFileName(source.name);
  }
};

interface ServedFolder {
  /** Absolute; absent where the gateway file names none. */
  readonly folder: string | undefined;
  readonly gatewayFile: string | undefined;
}

/** The file of a gateway's folder of configs that is served under a name. */
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
