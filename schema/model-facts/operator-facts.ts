import type { GatewayFile } from '../generated/gateway-file.ts';
import type { OwnPrices } from '../usage/model-price.ts';
import { capabilities } from './capability.ts';
import type { StatedFacts } from './model-facts.ts';

type OperatorFacts = NonNullable<GatewayFile['model_facts']>;

/**
 * Converts the facts of a gateway file to statements. One without a day applies as of `today`. A list of capabilities is
 * complete.
 */
export const operatorFacts = (facts: OperatorFacts, today: string): readonly StatedFacts[] =>
  facts.map(({ capabilities: able, as_of: asOf = today, ...stated }) => ({
    ...stated,
    able,
    unable: able === undefined ? undefined : capabilities.filter((name) => !able.includes(name)),
    ...{ source: 'operator', asOf },
  }));

/** The name that stands for all models of a provider without their own price. */
const anyModel = '*';

/** Lists the models for which a gateway file has a price: by name, and those of `names` that `*` stands for. */
export const ownPriceFacts = (
  prices: OwnPrices,
  { provider, names, today }: { readonly provider: string; readonly names: Iterable<string>; readonly today: string },
): readonly StatedFacts[] => {
  if (!Object.hasOwn(prices, provider)) return [];
  const priced = Object.keys(prices[provider] ?? {});
  const all = priced.includes(anyModel) ? [...priced, ...names] : priced;
  return [...new Set(all)]
    .filter((model) => model !== anyModel)
    .map((model) => ({ ...{ provider, model, prices: 'gateway file', source: 'operator', asOf: today } }));
};
