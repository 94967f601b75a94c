import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import { providerFacts } from '../plugins/sdk/provider/provider-facts.ts';
import type { JsonObject } from '../schema/json/json.ts';
import { readFoundEnvironment } from './environment/found-environment.ts';

/**
 * Lists the facts about every provider that configs can name, sorted by id. Throws a `UsageError` for a gateway file with errors.
 */
export const listProviderFacts = async (
  io: CommandIo,
  gatewayFile: string | undefined,
): Promise<readonly JsonObject[]> => {
  const { environment } = await readFoundEnvironment(io, gatewayFile);
  const { catalogue } = environment;
  const providers = new Set(catalogue.providers.values());
  return [...providers].sort((a, b) => (a.id < b.id ? -1 : 1)).map(providerFacts);
};
