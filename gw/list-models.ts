import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import type { KnownModels } from '../plugins/control/cli/command-line/services.ts';
import { lookUp } from '../schema/json/look-up.ts';
import { savedSlug } from '../schema/text/slug-model.ts';
import { type FoundEnvironment, readFoundEnvironment } from './environment/found-environment.ts';
import { modelCatalogue, unreadableLists } from './environment-models.ts';

/** Returns the names by which providers can be requested: ids, aliases, and saved providers as `@slug`. */
export const providerNames = ({ environment: { catalogue, saved } }: FoundEnvironment): ReadonlyMap<string, string> =>
  new Map([
    ...[...catalogue.providers].map(([name, { id }]) => [name, id] as const),
    ...Object.keys(saved.providers).map((slug) => [`@${slug}`, `@${slug}`] as const),
  ]);

/** Returns the providers of the saved ones that are not called at a host of their own. */
const savedKinds = ({ environment: { catalogue, saved } }: FoundEnvironment): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(saved.providers).flatMap(([slug, { provider, settings }]) => {
      const id = catalogue.providers.get(provider)?.id;
      return id === undefined || settings?.custom_host !== undefined ? [] : [[`@${slug}`, id]];
    }),
  );

/** Returns everything that is known about models, with or without a gateway file. Throws a `UsageError` for files with errors. */
export const listModels = async (io: CommandIo, gatewayFile: string | undefined): Promise<KnownModels> => {
  const found = await readFoundEnvironment(io, gatewayFile);
  const facts = await (await modelCatalogue(found)).list().catch(unreadableLists);
  const { catalogue, settings, saved } = found.environment;
  return {
    facts,
    providers: providerNames(found),
    kinds: savedKinds(found),
    hasStore: settings.store !== undefined,
    findPrices: async ({ provider: named, model, prices }) => {
      if (prices === undefined) return undefined;
      const slug = savedSlug(named);
      const id = slug === undefined ? named : lookUp(saved.providers, slug)?.provider;
      const provider = id === undefined ? undefined : catalogue.providers.get(id);
      if (provider === undefined) return undefined;
      const ofProvider = lookUp(settings.prices ?? {}, provider.id) ?? {};
      const own = lookUp(ofProvider, model) ?? ofProvider['*'];
      if (own !== undefined) return (await import('../schema/model-facts/readable-prices.ts')).ownShownPrices(own);
      return (await import('../runtime/model-catalogue/table-facts.ts')).tablePrices(provider, model);
    },
  };
};
