import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Prices of a model, in US dollars per million tokens. From `request` on, they are per unit. */
export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  /** The price of `input` if absent. */
  readonly cache_read?: number;
  /** The price of `input` if absent. */
  readonly cache_write?: number;
  /** The price of `cache_write` if absent. */
  readonly cache_write_1h?: number;
  /** The price of `input` if absent. */
  readonly input_audio?: number;
  /** The price of `input` if absent. */
  readonly input_image?: number;
  /** The price of `output` if absent. */
  readonly output_audio?: number;
  /** The price of `output` if absent. */
  readonly output_image?: number;
  /** The price of `output` if absent. */
  readonly reasoning?: number;
  readonly request?: number;
  readonly web_search?: number;
  /** A search unit of a reranking. */
  readonly search?: number;
  /** A page of a document that is read. */
  readonly page?: number;
  /** A page that is read with annotations; the price of `page` if absent. */
  readonly annotated_page?: number;
  /** A generated image. */
  readonly image?: number;
};

/** Prices by tiers. */
type TierPrices = { readonly [tier: string]: TokenPrices };

/** An operator's prices of a model. */
export type ModelPrice = TokenPrices & {
  /** The prices of requests that are served at another tier, such as `batch`, `flex` or `priority`. */
  readonly tiers?: TierPrices;
};

/** Prices by provider and model. The model `*` stands for all others of the provider. */
export type OwnPrices = {
  readonly [provider: string]: { readonly [model: string]: ModelPrice };
};

/** The price that a saved provider has for a model. */
export type SavedPrice = {
  /** The price; if absent, that of the gateway file or of public lists. */
  readonly price?: ModelPrice;
  /** The factors for input and output by which that price is multiplied, if it is not the saved one; 1 if absent. */
  readonly multiplier?: { readonly input: number; readonly output: number };
  /** Without `price`: what each request costs in addition to that price, in US dollars. */
  readonly request?: number;
  /** Without `price`: the prices of requests that are served at another tier, instead of that price. */
  readonly tiers?: TierPrices;
};

/** The prices, by the names of models at the provider. */
export type SavedPrices = {
  readonly [model: string]: SavedPrice;
};

const isPrice = (value: Json | undefined): value is number => typeof value === 'number' && value >= 0;

const tokenPrices = (value: JsonObject): TokenPrices | undefined => {
  const { input, output } = value;
  if (!isPrice(input) || !isPrice(output)) return undefined;
  const numbers = Object.entries(value).filter((entry): entry is [string, number] => isPrice(entry[1]));
  return { ...Object.fromEntries(numbers), input, output };
};

const tierPrices = (value: JsonObject): TierPrices => {
  const tiers = Object.entries(value).flatMap(([tier, each]) => {
    const found = isJsonObject(each) ? tokenPrices(each) : undefined;
    return found === undefined ? [] : [[tier, found] as const];
  });
  return Object.fromEntries(tiers);
};

const modelPrice = (value: Json | undefined): ModelPrice | undefined => {
  if (!isJsonObject(value)) return undefined;
  const prices = tokenPrices(value);
  if (prices === undefined || !isJsonObject(value.tiers)) return prices;
  return { ...prices, tiers: tierPrices(value.tiers) };
};

const savedPrice = (value: JsonObject): SavedPrice => {
  const price = modelPrice(value.price);
  const { input, output } = isJsonObject(value.multiplier) ? value.multiplier : {};
  return {
    ...(price !== undefined && { price }),
    ...(isPrice(input) && isPrice(output) && { multiplier: { input, output } }),
    ...(isPrice(value.request) && { request: value.request }),
    ...(isJsonObject(value.tiers) && { tiers: tierPrices(value.tiers) }),
  };
};

/** Returns the prices in a target of a plan. Anything that is not a price is omitted. */
export const toSavedPrices = (value: JsonObject): SavedPrices =>
  Object.fromEntries(
    Object.entries(value).flatMap(([model, each]) => (isJsonObject(each) ? [[model, savedPrice(each)]] : [])),
  );
