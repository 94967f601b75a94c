import type { CommandServices, Environment } from '../command-line/services.ts';
import { readText } from '../files/read-text.ts';
import { findGatewayFile } from './find-gateway-file.ts';

/** The gateway file a command uses: the one `--config` names, else that of the working folder, else none. */
export const readGatewayFile = ({ io }: CommandServices, given: string | undefined): Promise<string | undefined> =>
  findGatewayFile(io, given);

/**
 * Reads the environment that the gateway file adds. Throws a `UsageError` where `--config` names a file that is not
 * there.
 */
export const readEnvironment = async (
  services: CommandServices,
  gatewayFile: string | undefined,
): Promise<Environment & { readonly text?: string }> => {
  if (gatewayFile === undefined) return services.environment(undefined, undefined);
  const text = await readText(services.io, gatewayFile);
  return { ...(await services.environment(gatewayFile, text)), text };
};
