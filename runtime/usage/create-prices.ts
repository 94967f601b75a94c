import type { UsageRecord } from '../../schema/usage-record.ts';
import type { PricedCall, Prices } from '../ports/prices.ts';
import { createListedPrices } from './listed-prices.ts';
import { nanoUsd } from './nano-usd.ts';
import { type ModelPrice, type OwnPrices, priceOf } from './own-prices.ts';

const ownPrice = (
  own: OwnPrices,
  { model: answered }: UsageRecord,
  { provider, model }: PricedCall,
): ModelPrice | undefined => {
  const models = Object.hasOwn(own, provider) ? own[provider] : undefined;
  if (models === undefined) return undefined;
  const name = [answered, model, '*'].find((each) => Object.hasOwn(models, each));
  return name === undefined ? undefined : models[name];
};

/** The operator's own prices, and public list prices for all other models. */
export const createPrices = (own: OwnPrices = {}): Prices => {
  const listed = createListedPrices();
  return {
    ready: () => listed.ready(),
    cost(record, call) {
      const price = ownPrice(own, record, call);
      if (price !== undefined) return { nanoUsd: nanoUsd(priceOf(record, price)), prices: 'gateway file' };
      const usd = listed.usd(record, call);
      return usd === undefined ? undefined : { nanoUsd: nanoUsd(usd), prices: 'genai-prices' };
    },
  };
};
