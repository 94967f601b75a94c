import type { UsageRecord } from '../../schema/usage-record.ts';

/** What a record costs, in US dollars; what is neither input nor output is in `rest`. */
export interface ListedPrice {
  readonly input: number;
  readonly output: number;
  readonly rest: number;
}

/** What one token costs, in US dollars, by what it is. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  /** What a token read from a cache costs more than another one of the input; usually below 0. */
  readonly cacheRead: number;
  /** What a token of reasoning costs more than another one of the output. */
  readonly reasoning: number;
}

/** Enough tokens for the digits of a rate. */
const many = 1_000_000;

/** The rates by which a price list prices tokens, each as it does. Undefined if it has no price for one of them. */
export const tokenRates = (
  usd: (counts: { readonly [name: string]: number }) => number | undefined,
): TokenRates | undefined => {
  const [input, output] = [usd({ input_tokens: many }), usd({ output_tokens: many })];
  const read = usd({ input_tokens: many, cache_read_tokens: many });
  const reasoned = usd({ output_tokens: many, output_reasoning_tokens: many });
  if (input === undefined || output === undefined || read === undefined || reasoned === undefined) return undefined;
  return {
    input: input / many,
    output: output / many,
    cacheRead: (read - input) / many,
    reasoning: (reasoned - output) / many,
  };
};

/** What a record of plain tokens costs; undefined for one with more to it, or whose figures contradict each other. */
export const priceByRates = (
  { input, output, audioSeconds, calls }: UsageRecord,
  rates: TokenRates,
): ListedPrice | undefined => {
  const { total, cacheRead = 0, cacheWrite, audio, image } = input;
  const { reasoning = 0 } = output;
  const isPlain =
    cacheWrite === undefined &&
    audio === undefined &&
    image === undefined &&
    output.audio === undefined &&
    output.image === undefined &&
    audioSeconds === undefined &&
    calls === undefined;
  if (!isPlain || !(cacheRead <= total && reasoning <= output.total)) return undefined;
  return {
    input: total * rates.input + cacheRead * rates.cacheRead,
    output: output.total * rates.output + reasoning * rates.reasoning,
    rest: 0,
  };
};
