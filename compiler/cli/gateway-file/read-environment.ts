import type { CommandServices, Environment } from '../command-line/services.ts';
import { readText } from '../files/read-text.ts';

const defaultFile = 'gateway.json';

/** The gateway file a command uses: the one `--config` names, else the `gateway.json` of the working folder, else none. */
export const readGatewayFile = async (
  { io }: CommandServices,
  given: string | undefined,
): Promise<string | undefined> => given ?? ((await io.readKind(defaultFile)) === 'file' ? defaultFile : undefined);

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
