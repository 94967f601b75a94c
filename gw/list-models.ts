import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import type { KnownModels } from '../plugins/control/cli/command-line/services.ts';
import { type FoundEnvironment, readFoundEnvironment } from './environment/found-environment.ts';
import { modelCatalogue, unreadableLists } from './environment-models.ts';

/** The names by which providers are asked for: ids, aliases, and what is saved as `@slug`. */
export const providerNames = ({ environment: { catalogue, saved } }: FoundEnvironment): ReadonlyMap<string, string> =>
  new Map([
    ...[...catalogue.providers].map(([name, { id }]) => [name, id] as const),
    ...Object.keys(saved.providers).map((slug) => [`@${slug}`, `@${slug}`] as const),
  ]);

/** Everything that is known of models, with a gateway file or without. Throws a `UsageError` for files with errors. */
export const listModels = async (io: CommandIo, gatewayFile: string | undefined): Promise<KnownModels> => {
  const found = await readFoundEnvironment(io, gatewayFile);
  const facts = await (await modelCatalogue(found)).list().catch(unreadableLists);
  return { facts, providers: providerNames(found) };
};
