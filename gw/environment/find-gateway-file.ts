import type { CommandIo } from '../../compiler/cli/command-line/services.ts';

/** The gateway file of a command that needs none: the one that is named, or that of the folder; undefined if there is neither. */
export const findGatewayFile = async (io: CommandIo, given: string | undefined): Promise<string | undefined> =>
  given ?? ((await io.readKind('gateway.json')) === 'file' ? 'gateway.json' : undefined);
