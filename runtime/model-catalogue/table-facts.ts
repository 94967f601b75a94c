import { createRequire } from 'node:module';
import type { ModelInfo } from '@pydantic/genai-prices';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { StatedFacts } from '../../schema/model-facts/model-facts.ts';
import type { ShownPrices } from '../../schema/model-facts/readable-prices.ts';
import { rowNames } from '../usage/prices/row-names.ts';

/** The version of `@pydantic/genai-prices` in use, and the day on which it was published. */
export const priceTable = { version: '0.1.8', asOf: '2026-09-23' } as const;

/** The statements of the public price table about one provider's models. */
export interface TableFacts {
  /** The models that it names, without withdrawn ones. */
  readonly all: readonly TableModel[];
  /** Finds its statement about a model by any name, including names that only a pattern of the table matches. */
  find(model: string): TableModel | undefined;
}

/** A statement, and the row of the table that makes it. The row may be for several models. */
export interface TableModel extends StatedFacts {
  readonly row: string;
  /** Whether the name may be only that of the row, and not of a model. */
  readonly mayBePart?: true;
}

const nothing: TableFacts = { all: [], find: () => undefined };

/** Loads the lists of `@pydantic/genai-prices`, which take 20 MB. */
export const tableFacts = async ({
  id: provider,
  listedAs = provider,
}: Pick<Provider, 'id' | 'listedAs'>): Promise<TableFacts> => {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const list = findProvider({ providerId: listedAs });
  // The library also accepts names that contain another name for that one.
  if (list?.id !== listedAs) return nothing;
  const toFacts = (model: string, { id: row, context_window: context }: ModelInfo): TableModel => ({
    ...{ provider, model, row, context, prices: 'genai-prices', source: 'table', asOf: priceTable.asOf },
  });
  return {
    all: list.models
      .filter(({ deprecated }) => deprecated !== true)
      .flatMap((row) => {
        const { names, mayBePart } = rowNames(row);
        return names.map((name) => ({ ...toFacts(name, row), ...(mayBePart && { mayBePart }) }));
      }),
    find(model) {
      const row = calcPrice({ input_tokens: 0 }, model, { provider: list })?.model;
      return row && toFacts(model, row);
    },
  };
};

const require = createRequire(import.meta.url);

/** Lists the table's names of a provider's models, for callers that cannot wait until it is imported. */
export const tableNames = ({ id, listedAs = id }: Pick<Provider, 'id' | 'listedAs'>): readonly string[] => {
  const { findProvider } = require('@pydantic/genai-prices') as typeof import('@pydantic/genai-prices');
  const list = findProvider({ providerId: listedAs });
  if (list?.id !== listedAs) return [];
  return list.models.filter(({ deprecated }) => deprecated !== true).flatMap((row) => rowNames(row).names);
};

type Tiered = { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] };

/** Returns the base price, and those above a number of tokens. */
const withTiers = (name: string, price: number | Tiered): readonly (readonly [name: string, usd: number])[] =>
  typeof price === 'number'
    ? [[name, price]]
    : [[name, price.base], ...price.tiers.map((tier) => [`${name}_above_${tier.start}`, tier.price] as const)];

/** Returns the current prices of a model in the public price table. */
export const tablePrices = async (
  { id, listedAs = id }: Pick<Provider, 'id' | 'listedAs'>,
  model: string,
): Promise<ShownPrices | undefined> => {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const provider = findProvider({ providerId: listedAs });
  const found = provider?.id === listedAs ? calcPrice({ input_tokens: 0 }, model, { provider }) : undefined;
  if (found === undefined || found === null) return undefined;
  const named = (ending: string) =>
    Object.entries(found.model_price).flatMap(([name, price]) =>
      name.endsWith(ending) && price !== undefined ? withTiers(name.slice(0, -ending.length), price) : [],
    );
  return {
    usd_per_million_tokens: Object.fromEntries(named('_mtok')),
    usd_each: Object.fromEntries(named('_kcount').map(([name, usd]) => [name, usd / 1000])),
  };
};
