import type { SavedPrice } from '../../../schema/usage/model-price.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { PricedCall, Prices } from '../../ports/prices.ts';
import { chargedRecord } from './charged-record.ts';
import { createListedPrices } from './listed-prices.ts';
import { nanoOfPico, nanoUsd } from './nano-usd.ts';
import { type ModelPrice, type OwnPrices, priceParts, toPrice, toTierPrice } from './own-prices.ts';
import { tierFactor } from './tier-factor.ts';

const findMember = <Value>(
  table: { readonly [name: string]: Value } | undefined,
  first: string,
  second = first,
): Value | undefined => {
  if (table === undefined) return undefined;
  if (Object.hasOwn(table, first)) return table[first];
  return Object.hasOwn(table, second) ? table[second] : undefined;
};

const anyModel = '*';

const ownPrice = (own: OwnPrices, record: UsageRecord, call: PricedCall): ModelPrice | undefined => {
  const prices = findMember(own, call.provider);
  if (prices === undefined) return undefined;
  return findMember(prices, record.model, call.model) ?? findMember(prices, anyModel);
};

interface Parts {
  readonly input: number;
  readonly output: number;
  readonly rest: number;
}

/** Multiplies prices, except for what belongs to neither input nor output, such as searches, which cost the same at all tiers. */
const multiplied = ({ input, output, rest }: Parts, multiplier: SavedPrice['multiplier'], factor = 1): number =>
  (input * (multiplier?.input ?? 1) + output * (multiplier?.output ?? 1)) * factor + rest;

const notSaved: SavedPrice = {};
const picoPerUsd = 1e12;

/**
 * Creates the prices: those of the saved provider that is called, or else the operator's own prices, and public list prices for
 * all other models, both with the saved provider's multiplier and what it charges for each request.
 */
export const createPrices = (own: OwnPrices = {}): Prices => {
  const listed = createListedPrices();
  return {
    ready: () => listed.ready(),
    cost(used, call) {
      const record = chargedRecord(used);
      const factor = tierFactor(record, call.listedAs);
      const saved = call.saved && findMember(call.saved, call.model, record.model);
      if (saved?.price !== undefined)
        return { nanoUsd: nanoUsd(toPrice(record, saved.price, factor)), prices: 'integration' };
      const ofTier = saved && toTierPrice(record, saved);
      if (ofTier !== undefined) return { nanoUsd: nanoUsd(ofTier), prices: 'integration' };
      const { multiplier, request = 0 } = saved ?? notSaved;
      const price = ownPrice(own, record, call);
      if (price !== undefined) {
        const usd = multiplied(priceParts(record, price, factor), multiplier) + request;
        return { nanoUsd: nanoUsd(usd), prices: 'gateway file' };
      }
      const parts = listed.price(record, call);
      if (parts !== undefined) {
        const pico = multiplied(parts, multiplier, factor) + request * picoPerUsd;
        return { nanoUsd: nanoOfPico(pico), prices: 'genai-prices' };
      }
      const isFixed = request > 0 && listed.isReady();
      return isFixed ? { nanoUsd: nanoUsd(request), prices: 'integration' } : undefined;
    },
  };
};
