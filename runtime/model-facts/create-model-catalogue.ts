import { stat } from 'node:fs/promises';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { type FindModelFacts, indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { ModelFacts, StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { readFactsFile, toListedFacts } from './facts-file.ts';
import { operatorFacts, ownPriceFacts } from './operator-facts.ts';
import { type TableFacts, tableFacts } from './table-facts.ts';

export interface ModelCatalogueOptions {
  readonly plugins: readonly Plugin[];
  readonly settings?: Pick<GatewayFile, 'model_facts' | 'prices'>;
  /** The file of providers' lists; it need not be there. */
  readonly factsFile?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Facts of models from all sources, which are loaded when somebody asks. Methods reject with an `Error` for a file that cannot be read. */
export interface ModelCatalogue {
  /** Every model that a source names, sorted. */
  list(): Promise<readonly ModelFacts[]>;
  /** Finds models of one provider, and of what is saved of it. */
  ofProvider(id: string): Promise<FindModelFacts>;
  /** Finds models with all but what the price table says, which is large. */
  withoutTable(): Promise<FindModelFacts>;
}

/** The day of a time: `2026-11-24`. */
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

const isSaved = ({ provider }: StatedFacts): boolean => provider.startsWith('@');

/** What changes if a file does; undefined if it is not there. */
const fileState = async (file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  const found = await stat(file).catch(() => undefined);
  return found && `${found.mtimeMs} ${found.size}`;
};

interface Loaded {
  readonly state: string | undefined;
  readonly stated: Promise<readonly StatedFacts[]>;
  /** By the id of the provider. */
  readonly found: Map<string, FindModelFacts>;
}

/** Everything is loaded once, and again when the file of providers' lists has changed. */
export const createModelCatalogue = ({
  plugins,
  settings: { model_facts = [], prices = {} } = {},
  factsFile,
  now,
}: ModelCatalogueOptions): ModelCatalogue => {
  const providers = new Map<string, Provider>();
  for (const plugin of plugins) for (const each of plugin.providers ?? []) providers.set(each.id, each);
  let loaded: Loaded | undefined;

  const load = async (): Promise<readonly StatedFacts[]> => {
    const ofPlugins = plugins.map(async ({ models }) => (await models?.())?.facts ?? []);
    const listed = factsFile === undefined ? {} : await readFactsFile(factsFile);
    const ofRows = await Promise.all(ofPlugins);
    return [...ofRows.flat(), ...toListedFacts(listed), ...operatorFacts(model_facts, toDay(now()))];
  };

  const whenLoaded = async (): Promise<{ stated: readonly StatedFacts[]; found: Loaded['found'] }> => {
    const state = await fileState(factsFile);
    if (loaded === undefined || loaded.state !== state) loaded = { state, stated: load(), found: new Map() };
    const { stated, found } = loaded;
    try {
      return { stated: await stated, found };
    } catch (error) {
      // The file may be written again.
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

  return {
    async list() {
      const { stated } = await whenLoaded();
      const priced = await Promise.all(
        [...providers.values()].map(async (provider) =>
          withPrices(provider, { stated, table: await tableFacts(provider) }),
        ),
      );
      const others = stated.filter(({ provider }) => !providers.has(provider));
      return joinFacts([...priced.flat(), ...others]);
    },
    async ofProvider(id) {
      const { stated, found } = await whenLoaded();
      const known = found.get(id);
      if (known !== undefined) return known;
      const provider = providers.get(id);
      const saved = stated.filter(isSaved);
      if (provider === undefined) return indexFacts(joinFacts(saved));
      const table = await tableFacts(provider);
      const index = indexFacts(joinFacts([...withPrices(provider, { stated, table }), ...saved]));
      const find: FindModelFacts = (name, model, slug) => {
        const indexed = index(name, model, slug);
        const listed = indexed === undefined && name === id ? table.find(model) : undefined;
        return listed === undefined ? indexed : joinFacts([listed])[0];
      };
      found.set(id, find);
      return find;
    },
    async withoutTable() {
      return indexFacts(joinFacts((await whenLoaded()).stated));
    },
  };
};
