import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** Prices of a model, in US dollars for a million tokens; from `request` on, they are for each. */
export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  /** As `input` if absent. */
  readonly cache_read?: number;
  /** As `input` if absent. */
  readonly cache_write?: number;
  /** As `cache_write` if absent. */
  readonly cache_write_1h?: number;
  /** As `input` if absent. */
  readonly input_audio?: number;
  /** As `input` if absent. */
  readonly input_image?: number;
  /** As `output` if absent. */
  readonly output_audio?: number;
  /** As `output` if absent. */
  readonly output_image?: number;
  /** As `output` if absent. */
  readonly reasoning?: number;
  readonly request?: number;
  readonly web_search?: number;
  /** A search unit of a reranking. */
  readonly search?: number;
  /** A page of a document that is read. */
  readonly page?: number;
  /** One that is read with annotations; as `page` if absent. */
  readonly annotated_page?: number;
  /** A picture that is made. */
  readonly image?: number;
};

/** An operator's prices of a model. */
export type ModelPrice = TokenPrices & {
  /** The prices of what is served at another tier, as `batch`, `flex` or `priority`. */
  readonly tiers?: { readonly [tier: string]: TokenPrices };
};

/** Prices by provider and model; the model `*` stands for all others of the provider. */
export type OwnPrices = {
  readonly [provider: string]: { readonly [model: string]: ModelPrice };
};

/** The price that a saved provider gives to a model. */
export type SavedPrice = {
  /** Absent: that of the gateway file, or of public lists. */
  readonly price?: ModelPrice;
  /** The factors of input and output on that price, if it is not the saved one; 1 if absent. */
  readonly multiplier?: { readonly input: number; readonly output: number };
};

/** By the names of models at the provider. */
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

const modelPrice = (value: Json | undefined): ModelPrice | undefined => {
  if (!isJsonObject(value)) return undefined;
  const prices = tokenPrices(value);
  if (prices === undefined || !isJsonObject(value.tiers)) return prices;
  const tiers = Object.entries(value.tiers).flatMap(([tier, each]) => {
    const found = isJsonObject(each) ? tokenPrices(each) : undefined;
    return found === undefined ? [] : [[tier, found] as const];
  });
  return { ...prices, tiers: Object.fromEntries(tiers) };
};

const savedPrice = (value: JsonObject): SavedPrice => {
  const price = modelPrice(value.price);
  const { input, output } = isJsonObject(value.multiplier) ? value.multiplier : {};
  return {
    ...(price !== undefined && { price }),
    ...(isPrice(input) && isPrice(output) && { multiplier: { input, output } }),
  };
};

/** The prices in a target of a plan; what is no price is left out. */
export const toSavedPrices = (value: JsonObject): SavedPrices =>
  Object.fromEntries(
    Object.entries(value).flatMap(([model, each]) => (isJsonObject(each) ? [[model, savedPrice(each)]] : [])),
  );
