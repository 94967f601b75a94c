import path from 'node:path';
import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { UsageError } from '../compiler/cli/command-line/usage-error.ts';
import { readText } from '../compiler/cli/files/read-text.ts';
import { providerFacts } from '../plugins/sdk/provider/provider-facts.ts';
import type { JsonObject } from '../schema/json/json.ts';
import { builtinEnvironment } from './builtin-environment.ts';
import { fileEnvironment } from './file-environment.ts';
import { findGatewayFile } from './find-gateway-file.ts';
import type { LoadedEnvironment } from './loaded-environment.ts';

const environment = async (io: CommandIo, given: string | undefined): Promise<LoadedEnvironment> => {
  const shown = await findGatewayFile(io, given);
  if (shown === undefined) return builtinEnvironment();
  const text = await readText(io, shown);
  const read = await fileEnvironment({ file: path.resolve(io.cwd, shown), text, shown }, (line) => io.err.write(line));
  if (read.diagnostics.some(({ severity }) => severity === 'error'))
    throw new UsageError(`The gateway file ${shown} has errors.`, 'Find them with gw check.');
  return read;
};

/** The facts of every provider that configs can name, sorted by id. Throws a `UsageError` for a gateway file with errors. */
export const listProviderFacts = async (
  io: CommandIo,
  gatewayFile: string | undefined,
): Promise<readonly JsonObject[]> => {
  const { catalogue } = await environment(io, gatewayFile);
  const providers = new Set(catalogue.providers.values());
  return [...providers].sort((a, b) => (a.id < b.id ? -1 : 1)).map(providerFacts);
};
