import { stat } from 'node:fs/promises';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import { factsFileOf } from '../../schema/model-facts/facts-file-of.ts';
import { type FindModelFacts, indexFacts } from '../../schema/model-facts/find-facts.ts';
import { joinFacts } from '../../schema/model-facts/join-facts.ts';
import type { ModelFacts, StatedFacts } from '../../schema/model-facts/model-facts.ts';
import { toDay } from '../../schema/model-facts/to-day.ts';
import { readFactsFile, toListedFacts } from './facts-file.ts';
import { operatorFacts, ownPriceFacts } from './operator-facts.ts';
import { type TableFacts, tableFacts } from './table-facts.ts';

export interface ModelCatalogueOptions {
  readonly plugins: readonly Plugin[];
  readonly settings?: Pick<GatewayFile, 'model_facts' | 'prices'>;
  /** The gateway file, absolute, beside which the lists of providers are; none are read if absent. */
  readonly gatewayFile?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Finds the facts of a model of one provider; `slug` as in `FindModelFacts`. */
export type FindInProvider = (model: string, slug?: string) => ModelFacts | undefined;

/** Facts of models from all sources, which are loaded when somebody asks. Methods reject with an `Error` for a file that cannot be read. */
export interface ModelCatalogue {
  /** Every model that a source names, sorted. */
  list(): Promise<readonly ModelFacts[]>;
  /** Finds models of one provider, by any of its names, and of what is saved of it. */
  ofProvider(name: string): Promise<FindInProvider>;
  /** Finds models with all but what the price table says, which is large. */
  withoutTable(): Promise<FindModelFacts>;
}

const isSaved = ({ provider }: StatedFacts): boolean => provider.startsWith('@');

/** A text that changes if a file does; undefined if it is not there. */
const fileState = async (file: string | undefined): Promise<string | undefined> => {
  if (file === undefined) return undefined;
  const found = await stat(file).catch(() => undefined);
  return found && `${found.mtimeMs} ${found.size}`;
};

interface Loaded {
  readonly state: string | undefined;
  readonly stated: Promise<readonly StatedFacts[]>;
  /** By the id of the provider. */
  readonly found: Map<string, FindInProvider>;
}

/** Everything is loaded once, and again when the file of providers' lists has changed. */
export const createModelCatalogue = ({
  plugins,
  settings: { model_facts = [], prices = {} } = {},
  gatewayFile,
  now,
}: ModelCatalogueOptions): ModelCatalogue => {
  const factsFile = gatewayFile === undefined ? undefined : factsFileOf(gatewayFile);
  const providers = plugins.flatMap((plugin) => plugin.providers ?? []);
  const byName = new Map(providers.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((name) => [name, each])));
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
        providers.map(async (provider) => withPrices(provider, { stated, table: await tableFacts(provider) })),
      );
      const others = stated.filter(isSaved);
      return joinFacts([...priced.flat(), ...others]);
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
      return indexFacts(joinFacts((await whenLoaded()).stated));
    },
  };
};
