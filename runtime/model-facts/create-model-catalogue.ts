import { describeModels } from '../../plugins/sdk/plugin/describe-models.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { type FindModelFacts, indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { ModelFacts, StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { operatorFacts, ownPriceFacts } from '../../schema/model-facts/operator-facts.ts';
import { toDay } from '../../schema/model-facts/to-day.ts';
import type { FindInProvider, KnownModels } from '../ports/known-models.ts';
import { type ProviderLists, toListedFacts } from './facts-file.ts';
import { type TableFacts, tableFacts } from './table-facts.ts';

export interface ModelCatalogueOptions {
  readonly plugins: readonly Plugin[];
  readonly settings?: Pick<GatewayFile, 'model_facts' | 'prices' | 'providers'>;
  /** Reads the lists of providers, the same object as long as they are the same; there are none if absent. */
  readonly readLists?: (() => Promise<ProviderLists>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Facts of models from all sources, which are loaded when somebody asks. Methods reject where the lists of providers do. */
export interface ModelCatalogue extends KnownModels {
  /** Every model that a source names, sorted. */
  list(): Promise<readonly ModelFacts[]>;
  /** Finds models with all but what the price table says, which is large. */
  withoutTable(): Promise<FindModelFacts>;
}

const isSaved = ({ provider }: StatedFacts): boolean => provider.startsWith('@');

const noLists: ProviderLists = {};

interface Loaded {
  readonly lists: ProviderLists;
  readonly stated: Promise<readonly StatedFacts[]>;
  /** By the id of the provider. */
  readonly found: Map<string, FindInProvider>;
  /** Finds models without the price table; made when somebody asks. */
  withoutTable?: FindModelFacts;
}

/** Everything is loaded once, and again when the lists of providers have changed. */
export const createModelCatalogue = ({
  plugins,
  settings: { model_facts = [], prices = {}, providers: savedProviders = {} } = {},
  readLists,
  now,
}: ModelCatalogueOptions): ModelCatalogue => {
  const providers = plugins.flatMap((plugin) => plugin.providers ?? []);
  const byName = new Map(providers.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((name) => [name, each])));
  let loaded: Loaded | undefined;

  const load = async (lists: ProviderLists): Promise<readonly StatedFacts[]> => {
    const ofRows = await describeModels(plugins);
    return [...ofRows, ...toListedFacts(lists), ...operatorFacts(model_facts, toDay(now()))];
  };

  const whenLoaded = async (): Promise<{ stated: readonly StatedFacts[]; found: Loaded['found']; all: Loaded }> => {
    const lists = (await readLists?.()) ?? noLists;
    if (loaded === undefined || loaded.lists !== lists) loaded = { lists, stated: load(lists), found: new Map() };
    const all = loaded;
    try {
      return { stated: await all.stated, found: all.found, all };
    } catch (error) {
      // A plugin that failed to say what it knows may say it the next time.
      loaded = undefined;
      throw error;
    }
  };

  /** Adds what price lists say of a provider's models. */
  const withPrices = (
    { id: provider }: Provider,
    { stated, table }: { readonly stated: readonly StatedFacts[]; readonly table: TableFacts },
  ): readonly StatedFacts[] => {
    const own = stated.filter(({ provider: of }) => of === provider);
    const known = new Set(table.all.map(({ model }) => model));
    const names = [...new Set(own.map(({ model }) => model))];
    const further = names.flatMap((name) => (known.has(name) ? [] : (table.find(name) ?? [])));
    const today = toDay(now());
    return [...own, ...table.all, ...further, ...ownPriceFacts(prices, { provider, names, today })];
  };

  /** The price lists of the models that are stated of saved providers: a call of `@slug` costs what one of its provider does. */
  const savedPrices = async (saved: readonly StatedFacts[]): Promise<readonly StatedFacts[]> => {
    const found = [...Map.groupBy(saved, ({ provider }) => provider)].map(async ([named, stated]) => {
      const provider = byName.get(lookUp(savedProviders, named.slice(1))?.provider ?? '');
      if (provider === undefined) return [];
      const table = await tableFacts(provider);
      const names = [...new Set(stated.map(({ model }) => model))];
      const priced = [
        ...names.flatMap((name) => table.find(name) ?? []),
        ...ownPriceFacts(prices, { provider: provider.id, names, today: toDay(now()) }),
      ];
      return priced
        .filter(({ model }) => names.includes(model))
        .map(({ context: _, ...each }) => ({ ...each, provider: named }));
    });
    return (await Promise.all(found)).flat();
  };

  return {
    async list() {
      const { stated } = await whenLoaded();
      const priced = await Promise.all(
        providers.map(async (provider) => withPrices(provider, { stated, table: await tableFacts(provider) })),
      );
      const others = stated.filter(isSaved);
      return joinFacts([...priced.flat(), ...others, ...(await savedPrices(others))]);
    },
    async ofProvider(named) {
      const { stated, found } = await whenLoaded();
      const provider = byName.get(named);
      const known = provider && found.get(provider.id);
      if (known !== undefined) return known;
      const saved = stated.filter(isSaved);
      if (provider === undefined) return () => undefined;
      const table = await tableFacts(provider);
      const index = indexFacts(joinFacts([...withPrices(provider, { stated, table }), ...saved]));
      const find: FindInProvider = (model, slug) => {
        const indexed = index(provider.id, model, slug);
        const listed = indexed === undefined ? table.find(model) : undefined;
        return listed === undefined ? indexed : joinFacts([listed])[0];
      };
      found.set(provider.id, find);
      return find;
    },
    async withoutTable() {
      const { stated, all } = await whenLoaded();
      all.withoutTable ??= indexFacts(joinFacts(stated));
      return all.withoutTable;
    },
  };
};
