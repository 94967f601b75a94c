import type { ModelPrice } from '../usage/model-price.ts';

/** The prices of a model as people read them, in US dollars, by what is priced. */
export interface ShownPrices {
  readonly usd_per_million_tokens: Readonly<Record<string, number>>;
  /** Prices of single things: requests, searches, pages and pictures. */
  readonly usd_each: Readonly<Record<string, number>>;
}

/** The members of an operator's price that are for each. */
const each: ReadonlySet<string> = new Set(['request', 'web_search', 'search', 'page', 'annotated_page', 'image']);

/** Separates the prices of tokens from those of what is counted. */
export const toShownPrices = (prices: readonly (readonly [name: string, usd: number])[]): ShownPrices => ({
  usd_per_million_tokens: Object.fromEntries(prices.filter(([name]) => !each.has(name))),
  usd_each: Object.fromEntries(prices.filter(([name]) => each.has(name))),
});

/** The prices that a gateway file gives to a model, those of other tiers by the names of these. */
export const ownShownPrices = ({ tiers = {}, ...prices }: ModelPrice): ShownPrices => {
  const known = toShownPrices(Object.entries(prices));
  const ofTiers = Object.entries(tiers).flatMap(([tier, others]) =>
    Object.entries(others).map(([name, usd]) => [name, `${tier}_${name}`, usd] as const),
  );
  const named = (isEach: boolean): Readonly<Record<string, number>> =>
    Object.fromEntries(ofTiers.filter(([name]) => each.has(name) === isEach).map(([, name, usd]) => [name, usd]));
  return {
    usd_per_million_tokens: { ...known.usd_per_million_tokens, ...named(false) },
    usd_each: { ...known.usd_each, ...named(true) },
  };
};
