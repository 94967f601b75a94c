import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { type CompiledPrice, compiledPrice } from './compiled-price.ts';
import type { ListedPrice } from './unit-rates.ts';

export type Library = typeof import('@pydantic/genai-prices');

/** Returns a provider's list with only one model. */
export const toList = ({ fallback_model_providers: _others, ...provider }: Provider, model: ModelInfo): Provider => ({
  ...provider,
  models: [model],
});

/** Converts the library's price of some counts, in US dollars. */
export const toListedPrice = (found: {
  readonly input_price: number;
  readonly output_price: number;
  readonly total_price: number;
}): ListedPrice => {
  const { input_price: input, output_price: output, total_price: total } = found;
  return { input, output, rest: total - input - output };
};

/** Returns the price of a model in a provider's list, as the library computes it. Undefined if it does not use rates. */
export const compiledRow = ({ calcPrice }: Library, list: Provider, model: ModelInfo): CompiledPrice | undefined => {
  const { id } = model;
  return compiledPrice(model, (prices) => {
    const provider = toList(list, { ...model, match: { equals: id }, prices });
    return (counts) => {
      const found = calcPrice(counts, id, { provider });
      if (found === null) throw new RangeError(`The price list of ${list.id} has no model ${id}.`);
      return toListedPrice(found);
    };
  });
};
