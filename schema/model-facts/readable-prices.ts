import type { ModelPrice } from '../usage/model-price.ts';

/** The prices of a model in a readable form, in US dollars, by what is priced. */
export interface ShownPrices {
  readonly usd_per_million_tokens: Readonly<Record<string, number>>;
  /** Prices per unit: requests, searches, pages and images. */
  readonly usd_each: Readonly<Record<string, number>>;
}

/** The members of an operator's price that are per unit. */
const each: ReadonlySet<string> = new Set(['request', 'web_search', 'search', 'page', 'annotated_page', 'image']);

/** Returns the prices of a model in a gateway file; those of other tiers by the names of the tiers. */
export const ownShownPrices = ({ tiers = {}, ...prices }: ModelPrice): ShownPrices => {
  const all = Object.entries({ '': prices, ...tiers }).flatMap(([tier, priced]) =>
    Object.entries(priced).map(([name, usd]) => ({ name, usd, shown: tier === '' ? name : `${tier}_${name}` })),
  );
  const listed = (isEach: boolean): Readonly<Record<string, number>> =>
    Object.fromEntries(all.filter(({ name }) => each.has(name) === isEach).map(({ shown, usd }) => [shown, usd]));
  return { usd_per_million_tokens: listed(false), usd_each: listed(true) };
};
