import { readVirtualTargets } from '../../../schema/config/virtual-models.ts';
import type { CommandIo, Environment } from '../command-line/services.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { displayPath } from '../files/config-files.ts';
import { servedFileOf } from './served-names.ts';

interface AskedConfig {
  readonly name: string;
  /** The id of the record, if one was given. */
  readonly log: string | undefined;
  readonly environment: Pick<Environment, 'configsFolder' | 'saved'>;
  readonly gatewayFile: string | undefined;
}

/**
 * Returns the member of the gateway file that contains a config or a virtual model with that name, and the command that shows it.
 * For a record, it states how to name a gateway file if there is none.
 */
const memberHint = async (
  io: CommandIo,
  { name, log, environment: { configsFolder: folder, saved }, gatewayFile }: AskedConfig,
): Promise<string | undefined> => {
  if (gatewayFile === undefined)
    return log === undefined
      ? undefined
      : `If a gateway file has it, name that file: gw explain ${name} --log ${log} --config FILE shows where.`;
  const target = readVirtualTargets(saved.models ?? {}).get(name);
  const config = target?.kind === 'config' ? target.config : name;
  const file = await servedFileOf(io, config, { folder, gatewayFile });
  if (file === undefined) return undefined;
  const shown = displayPath(gatewayFile, io.cwd);
  const where =
    config === name
      ? `The gateway file ${shown} has it, in its "configs" folder`
      : `The gateway file ${shown} has a virtual model of this name, which refers to the config "${config}"`;
  return `${where}: gw explain ${file}${log === undefined ? '' : ` --log ${log}`}.`;
};

/** Finds a config of a store. If the store does not have the name, the `UsageError` states where the gateway file has it. */
export const withGatewayFileHint = async <Found>(
  find: () => Promise<Found>,
  io: CommandIo,
  asked: AskedConfig,
): Promise<Found> => {
  try {
    return await find();
  } catch (error) {
    const hint = error instanceof UsageError ? await memberHint(io, asked) : undefined;
    throw error instanceof UsageError && hint !== undefined
      ? new UsageError(error.message, `${hint} ${error.hint}`)
      : error;
  }
};
