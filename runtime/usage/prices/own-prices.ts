import type { ModelPrice, TokenPrices } from '../../../schema/usage/model-price.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

export type { ModelPrice, OwnPrices } from '../../../schema/usage/model-price.ts';

const million = 1_000_000;

/** The price of a record's input, of its output, and of what belongs to neither, in US dollars. */
interface PriceParts {
  readonly input: number;
  readonly output: number;
  readonly rest: number;
}

/** Computes the price of tokens at these prices. Every token is priced once. */
const tokensAt = ({ input, output }: UsageRecord, price: TokenPrices): Omit<PriceParts, 'rest'> => {
  const cacheWrite = price.cache_write ?? price.input;
  const writes = Object.entries(input.cacheWrite ?? {});
  const written = writes.reduce((sum, [, tokens]) => sum + tokens, 0);
  const read = input.cacheRead ?? 0;
  // What was read from a cache has one price, whatever it is.
  const inputAudio = Math.max(0, (input.audio ?? 0) - (input.cacheReadAudio ?? 0));
  const outputAudio = output.audio ?? 0;
  const [inputImage, outputImage] = [input.image ?? 0, output.image ?? 0];
  // If reasoning has no price of its own, it is priced like other output.
  const reasoning = price.reasoning === undefined ? 0 : (output.reasoning ?? 0);
  const ofInput =
    Math.max(0, input.total - read - written - inputAudio - inputImage) * price.input +
    read * (price.cache_read ?? price.input) +
    writes.reduce(
      (sum, [ttl, each]) => sum + each * (ttl === '1h' ? (price.cache_write_1h ?? cacheWrite) : cacheWrite),
      0,
    ) +
    inputAudio * (price.input_audio ?? price.input) +
    inputImage * (price.input_image ?? price.input);
  const ofOutput =
    Math.max(0, output.total - outputAudio - outputImage - reasoning) * price.output +
    outputAudio * (price.output_audio ?? price.output) +
    outputImage * (price.output_image ?? price.output) +
    reasoning * (price.reasoning ?? price.output);
  return { input: ofInput / million, output: ofOutput / million };
};

const callsAt = ({ calls }: UsageRecord, price: TokenPrices): number => {
  const { page = 0, annotated_page: annotated = 0 } = calls ?? {};
  return (
    (price.request ?? 0) +
    (calls?.web_search ?? 0) * (price.web_search ?? 0) +
    (calls?.search ?? 0) * (price.search ?? 0) +
    (calls?.image ?? 0) * (price.image ?? 0) +
    Math.max(0, page - annotated) * (price.page ?? 0) +
    annotated * (price.annotated_page ?? price.page ?? 0)
  );
};

/** Prices that may differ by tiers. */
type Tiered = Pick<ModelPrice, 'tiers'>;

const pricesOfTier = ({ tiers }: Tiered, tier: string | undefined): TokenPrices | undefined => {
  if (tiers === undefined || tier === undefined) return undefined;
  if (Object.hasOwn(tiers, tier)) return tiers[tier];
  // OpenAI has renamed it: https://developers.openai.com/api/docs/guides/fast-mode
  const other = tier === 'fast' ? 'priority' : tier === 'priority' ? 'fast' : undefined;
  return other !== undefined && Object.hasOwn(tiers, other) ? tiers[other] : undefined;
};

/**
 * Computes the price of a record at the prices of its tier. Without such prices, its tokens cost `factor` times the usual price,
 * and requests and searches the same.
 */
export const priceParts = (record: UsageRecord, price: ModelPrice, factor = 1): PriceParts => {
  const ofTier = pricesOfTier(price, record.tier);
  const { input, output } = tokensAt(record, ofTier ?? price);
  const times = ofTier === undefined ? factor : 1;
  return { input: input * times, output: output * times, rest: callsAt(record, ofTier ?? price) };
};

/** Computes the same price as one sum. */
export const toPrice = (record: UsageRecord, price: ModelPrice, factor = 1): number => {
  const { input, output, rest } = priceParts(record, price, factor);
  return input + output + rest;
};

/** Computes the price of a record by the prices of its tier alone. Undefined if its tier has none. */
export const toTierPrice = (record: UsageRecord, prices: Tiered): number | undefined => {
  const ofTier = pricesOfTier(prices, record.tier);
  return ofTier && toPrice(record, ofTier);
};
