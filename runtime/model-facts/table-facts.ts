import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { StatedFacts } from '../../schema/model-facts/model-facts.ts';

/** The version of `@pydantic/genai-prices` that is used, and the day on which it was published. */
export const priceTable = { version: '0.1.8', asOf: '2026-09-23' } as const;

/** The statements of the public price table about the models of one provider. */
export interface TableFacts {
  /** The models that it names, without withdrawn ones. */
  readonly all: readonly StatedFacts[];
  /** Finds its statement about a model by any name, also one that only a pattern of the table matches. */
  find(model: string): StatedFacts | undefined;
}

const nothing: TableFacts = { all: [], find: () => undefined };

/** Loads the lists of `@pydantic/genai-prices`, which take 20 MB. */
export const tableFacts = async ({
  id: provider,
  listedAs = provider,
}: Pick<Provider, 'id' | 'listedAs'>): Promise<TableFacts> => {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices');
  const list = findProvider({ providerId: listedAs });
  // The library takes names that contain another for that one.
  if (list?.id !== listedAs) return nothing;
  const toFacts = (model: string, context: number | undefined): StatedFacts => ({
    ...{ provider, model, context, prices: 'genai-prices', source: 'table', asOf: priceTable.asOf },
  });
  return {
    all: list.models
      .filter(({ deprecated }) => deprecated !== true)
      .map(({ id, context_window: context }) => toFacts(id, context)),
    find(model) {
      const row = calcPrice({ input_tokens: 0 }, model, { provider: list })?.model;
      return row && toFacts(model, row.context_window);
    },
  };
};
