import type { ListedModel } from '../../plugins/sdk/dialect/client-route.ts';
import { allowsModel } from '../../plugins/sdk/models/allows-model.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { type SavedProvider, savedSecrets } from '../../schema/config/saved.ts';
import type { SecretRef } from '../../schema/plan/plan.ts';
import type { ModelCatalogue } from '../model-catalogue/create-model-catalogue.ts';

/** The saved providers that a caller can name, and their credentials. */
export interface NameableProviders {
  /** By their names. A provider can have several. Default: none. */
  readonly providers?: { readonly [name: string]: SavedProvider } | undefined;
  /** The saved virtual keys, which only a header or a config can name. Default: none. */
  readonly virtualKeys?: { readonly [slug: string]: SavedProvider } | undefined;
  readonly secrets: (ref: SecretRef) => string | undefined;
}

export interface SavedModelsOptions {
  readonly provider: (id: string) => Provider | undefined;
  readonly modelCatalogue: () => Promise<Pick<ModelCatalogue, 'offered'>>;
}

/** The models of saved providers, as a request without a provider names them: `@slug/model`. */
export type SavedModels = (nameable: NameableProviders) => Promise<readonly ListedModel[]>;

/** Whether a saved provider can be called with its saved values. */
const isUsable = (saved: SavedProvider, provider: Provider, read: NameableProviders['secrets']) => {
  // Saved values contain only references.
  const references = savedSecrets(saved) as readonly SecretRef[];
  if (!references.every((reference) => (read(reference) ?? '') !== '')) return false;
  return (
    references.length > 0 ||
    provider.credential !== 'required' ||
    provider.usesMachineIdentity?.(saved.settings ?? {}) === true
  );
};

/** Stands for all models of a provider that have no price of their own. */
const anyModel = '*';

/** Returns the models with a price, each once: those of the saved provider, then those that are known of the provider. */
const priced = async (
  { provider, prices = {}, settings = {} }: SavedProvider,
  catalogue: Pick<ModelCatalogue, 'offered'>,
): Promise<readonly string[]> => {
  const offered = await catalogue.offered(provider, { isElsewhere: settings.custom_host !== undefined });
  return [...new Set([...Object.keys(prices).filter((name) => name !== anyModel), ...offered])];
};

/**
 * Lists the models that have a price, are not known to be retired, and are allowed. If a saved provider lists its allowed models,
 * lists those.
 */
export const createSavedModels =
  ({ provider: find, modelCatalogue }: SavedModelsOptions): SavedModels =>
  async ({ providers = {}, secrets }) => {
    // The first name of a provider is its slug.
    const bySlug = new Map(
      Object.entries(providers)
        .toReversed()
        .map(([name, saved]) => [saved, name]),
    );
    const lists = [...bySlug].toReversed().map(async ([saved, slug]): Promise<readonly ListedModel[]> => {
      const provider = find(saved.provider);
      if (provider === undefined || !isUsable(saved, provider, secrets)) return [];
      const { id } = provider;
      const { models } = saved;
      const names =
        models !== undefined && 'only' in models ? models.only : await priced(saved, await modelCatalogue());
      const allowed = models === undefined ? names : names.filter(allowsModel(models));
      return allowed.map((model) => ({ id: `@${slug}/${model}`, provider: id }));
    });
    return (await Promise.all(lists)).flat();
  };
