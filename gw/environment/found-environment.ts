import path from 'node:path';
import type { CommandIo } from '../../compiler/cli/command-line/services.ts';
import { UsageError } from '../../compiler/cli/command-line/usage-error.ts';
import { findGatewayFile } from '../../compiler/cli/files/find-gateway-file.ts';
import { readText } from '../../compiler/cli/files/read-text.ts';
import { builtinEnvironment } from './builtin-environment.ts';
import { fileEnvironment } from './file-environment.ts';
import type { LoadedEnvironment } from './loaded-environment.ts';

export interface FoundEnvironment {
  readonly environment: LoadedEnvironment;
  /** The absolute path of the gateway file; absent if there is none. */
  readonly file?: string;
}

/**
 * Loads the gateway file of a command that works without one, with everything that it names. Throws a `UsageError` if the file
 * has errors.
 */
export const readFoundEnvironment = async (io: CommandIo, given: string | undefined): Promise<FoundEnvironment> => {
  const shown = await findGatewayFile(io, given);
  if (shown === undefined) return { environment: await builtinEnvironment() };
  const text = await readText(io, shown);
  const file = path.resolve(io.cwd, shown);
  const environment = await fileEnvironment({ file, text, shown }, (line) => io.err.write(line));
  if (environment.diagnostics.some(({ severity }) => severity === 'error'))
    throw new UsageError(`The gateway file ${shown} has errors.`, `Find them with gw check --config ${shown}.`);
  return { environment, file };
};
