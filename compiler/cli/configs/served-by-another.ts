import type { AskedStore } from '../../../schema/config/saved-names.ts';
import type { CommandIo, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { RecordedPlan, SavedVersion } from '../saved-configs/compile-saved-config.ts';
import { servedFileOf } from './served-names.ts';

/** A record of the log, and where to look for the config that served its request. */
interface ServedRecord {
  readonly recorded: RecordedPlan;
  /** The id of the record, as it was given. */
  readonly log: string;
  readonly store: Pick<AskedStore, 'config'>;
  readonly environment: Pick<Environment, 'configsFolder'>;
  readonly gatewayFile: string | undefined;
}

const isSaved = async (store: ServedRecord['store'], name: string): Promise<boolean> => {
  try {
    await store.config(name);
    return true;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
};

/**
 * Returns a sentence on the config that served a request, and the command that shows it; undefined if that config is shown
 * already.
 */
export const servedByAnother = async (
  io: CommandIo,
  { slug, isRecorded }: SavedVersion,
  { recorded, log, store, environment, gatewayFile }: ServedRecord,
): Promise<string | undefined> => {
  const { config } = recorded;
  if (isRecorded !== false || config === undefined || config === slug) return undefined;
  // Configs of the store take precedence over those of the gateway file.
  const named = (await isSaved(store, config))
    ? config
    : await servedFileOf(io, config, { folder: environment.configsFolder, gatewayFile });
  return named === undefined
    ? `This request was served by another config ("${config}"), which neither the store nor the gateway file has: write what the request named or included into a file, and name it: gw explain FILE --log ${log}`
    : `This request was served by the config ${config}: gw explain ${named} --log ${log}`;
};
