import { describeModels } from '../../plugins/sdk/plugin/describe-models.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { deprecationHolds, isRetired } from '../../schema/model-facts/deprecation.ts';
import { type FindModelFacts, indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { ModelFacts, StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { operatorFacts, ownPriceFacts } from '../../schema/model-facts/operator-facts.ts';
import { toDay } from '../../schema/model-facts/to-day.ts';
import { savedSlug } from '../../schema/text/slug-model.ts';
import type { FindInProvider, KnownModels } from '../ports/known-models.ts';
import { type ProviderLists, toListedFacts } from './facts-file.ts';
import { type TableFacts, tableFacts, tableNames } from './table-facts.ts';

export interface ModelCatalogueOptions {
  readonly plugins: readonly Plugin[];
  readonly settings?: Pick<GatewayFile, 'model_facts' | 'prices' | 'providers'>;
  /** Reads the lists of providers. Returns the same object as long as they are unchanged. If absent, there are none. */
  readonly readLists?: (() => Promise<ProviderLists>) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Facts of models from all sources, loaded on first use. Methods reject if reading the lists of providers does. */
export interface ModelCatalogue extends KnownModels {
  /** Returns every model that a source names, sorted. */
  list(): Promise<readonly ModelFacts[]>;
  /** Returns a provider's models that have a price, and that the given host is not currently known to refuse. */
  offered(named: string, host: { readonly isElsewhere: boolean }): Promise<readonly string[]>;
  /** Finds models with everything except the facts in the price table, which is large. The list of names includes the table's. */
  withoutTable(): Promise<FindModelFacts>;
}

const isSaved = ({ provider }: StatedFacts): boolean => savedSlug(provider) !== undefined;

const noLists: ProviderLists = {};

/** Everything that is known of a provider's models. */
interface ProviderModels {
  readonly all: readonly ModelFacts[];
  readonly find: FindInProvider;
}

/**
 * Returns the models that a price table names for a provider. If a row is for several models, one without stated facts is
 * deprecated once all models of the row that have them are. A name that may not be a model is omitted if any facts are stated for
 * the provider.
 */
const tableModels = ({ all, find }: TableFacts, stated: readonly StatedFacts[]): readonly StatedFacts[] => {
  const own = joinFacts(stated);
  const known = new Set(own.map(({ model }) => model));
  const rows = Map.groupBy(own, ({ model }) => find(model)?.row);
  return all
    .filter(({ model, mayBePart = false }) => !mayBePart || own.length === 0 || known.has(model))
    .map(({ row, mayBePart: _, ...facts }) => {
      const days =
        rows
          .get(row)
          ?.map(({ deprecated = '' }) => deprecated)
          .sort() ?? [];
      return known.has(facts.model) || days[0] === '' ? facts : { ...facts, deprecated: days.at(-1) };
    });
};

interface Loaded {
  readonly lists: ProviderLists;
  readonly stated: Promise<readonly StatedFacts[]>;
  /** By the id of the provider. Promises, so that requests for the same provider at the same time share the work. */
  readonly found: Map<string, Promise<ProviderModels>>;
  /** Finds models without the price table. Created on first use. */
  withoutTable?: FindModelFacts;
}

/** Creates the catalogue. Everything is loaded once, and again when the lists of providers have changed. */
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
      // A plugin that failed to provide its facts may provide them next time.
      loaded = undefined;
      throw error;
    }
  };

  /** Adds price-list facts to a provider's models. */
  const withPrices = (
    { id: provider }: Provider,
    { stated, table }: { readonly stated: readonly StatedFacts[]; readonly table: TableFacts },
  ): readonly StatedFacts[] => {
    const own = stated.filter(({ provider: of }) => of === provider);
    const listed = tableModels(table, own);
    const known = new Set(listed.map(({ model }) => model));
    const names = [...new Set(own.map(({ model }) => model))];
    const further = names.flatMap((name) => (known.has(name) ? [] : (table.find(name) ?? [])));
    const today = toDay(now());
    return [...own, ...listed, ...further, ...ownPriceFacts(prices, { provider, names, today })];
  };

  /**
   * Returns price-list facts for the models that are stated for saved providers: a call to `@slug` costs the same as one to its
   * provider.
   */
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

  /** Adds the names of the price table to the lists of names. The table is loaded when the first list is read. */
  const withTableNames = (find: FindModelFacts): FindModelFacts => {
    // Saved providers without stated facts share a list, so that there are no more lists than without the table.
    const lists = new WeakMap<readonly string[], Map<string, readonly string[]>>();
    const names = (named: string, slug?: string): readonly string[] => {
      const provider = byName.get(named);
      const stated = find.names?.(named, slug) ?? [];
      if (provider === undefined) return stated;
      const ofStated = lists.get(stated) ?? new Map<string, readonly string[]>();
      lists.set(stated, ofStated);
      const list = ofStated.get(provider.id) ?? [...new Set([...stated, ...tableNames(provider)])];
      ofStated.set(provider.id, list);
      return list;
    };
    return Object.assign((...asked: Parameters<FindModelFacts>) => find(...asked), { names });
  };

  const findModels = async (provider: Provider, stated: readonly StatedFacts[]): Promise<ProviderModels> => {
    const saved = stated.filter(isSaved);
    const table = await tableFacts(provider);
    const all = joinFacts([...withPrices(provider, { stated, table }), ...saved]);
    const index = indexFacts(all);
    const find: FindInProvider = (model, slug) => {
      const indexed = index(provider.id, model, slug);
      const listed = indexed === undefined ? table.find(model) : undefined;
      return listed === undefined ? indexed : joinFacts([listed])[0];
    };
    return { all, find };
  };

  const modelsOf = async (named: string): Promise<ProviderModels> => {
    const { stated, found } = await whenLoaded();
    const provider = byName.get(named);
    if (provider === undefined) return { all: [], find: () => undefined };
    const models = found.get(provider.id) ?? findModels(provider, stated);
    found.set(provider.id, models);
    try {
      return await models;
    } catch (error) {
      // A table that could not be loaded may be loaded next time.
      found.delete(provider.id);
      throw error;
    }
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
    ofProvider: async (named) => (await modelsOf(named)).find,
    async offered(named, host) {
      const { all } = await modelsOf(named);
      const today = toDay(now());
      return all
        .filter(({ provider }) => provider === byName.get(named)?.id)
        .filter(({ prices }) => prices !== undefined)
        .filter((facts) => !isRetired(facts, today) || !deprecationHolds(facts, host))
        .map(({ model }) => model);
    },
    async withoutTable() {
      const { stated, all } = await whenLoaded();
      all.withoutTable ??= withTableNames(indexFacts(joinFacts(stated)));
      return all.withoutTable;
    },
  };
};
