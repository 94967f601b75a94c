import type { CommandServices, Environment } from '../command-line/services.ts';
import { findGatewayFile } from './find-gateway-file.ts';
import { readText } from './read-text.ts';

/**
 * Returns the gateway file of a command: the one that `--config` names, or else that of the working folder; undefined if there is
 * none.
 */
export const readGatewayFile = ({ io }: CommandServices, given: string | undefined): Promise<string | undefined> =>
  findGatewayFile(io, given);

/** Loads the environment that the gateway file adds. Throws a `UsageError` if `--config` names a file that does not exist. */
export const readEnvironment = async (
  services: CommandServices,
  gatewayFile: string | undefined,
): Promise<Environment & { readonly text?: string }> => {
  if (gatewayFile === undefined) return services.environment(undefined, undefined);
  const text = await readText(services.io, gatewayFile);
  return { ...(await services.environment(gatewayFile, text)), text };
};
