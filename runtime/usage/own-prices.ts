import type { UsageRecord } from '../../schema/usage-record.ts';

/** An operator's prices of a model, in US dollars for a million tokens; `request` is for each call. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** As `input` if absent. */
  readonly cache_read?: number;
  readonly cache_write?: number;
  /** As `cache_write` if absent. */
  readonly cache_write_1h?: number;
  /** As `input` if absent. */
  readonly input_audio?: number;
  /** As `output` if absent. */
  readonly output_audio?: number;
  readonly request?: number;
}

/** Prices by provider and model; the model `*` stands for all others of the provider. */
export interface OwnPrices {
  readonly [provider: string]: { readonly [model: string]: ModelPrice };
}

const million = 1_000_000;

/** What a record costs, in US dollars. Every token is priced once. */
export const priceOf = ({ input, output }: UsageRecord, price: ModelPrice): number => {
  const cacheWrite = price.cache_write ?? price.input;
  const writes = Object.entries(input.cacheWrite ?? {});
  const written = writes.reduce((sum, [, tokens]) => sum + tokens, 0);
  const read = input.cacheRead ?? 0;
  const [inputAudio, outputAudio] = [input.audio ?? 0, output.audio ?? 0];
  const tokens =
    Math.max(0, input.total - read - written - inputAudio) * price.input +
    read * (price.cache_read ?? price.input) +
    writes.reduce(
      (sum, [ttl, each]) => sum + each * (ttl === '1h' ? (price.cache_write_1h ?? cacheWrite) : cacheWrite),
      0,
    ) +
    inputAudio * (price.input_audio ?? price.input) +
    Math.max(0, output.total - outputAudio) * price.output +
    outputAudio * (price.output_audio ?? price.output);
  return tokens / million + (price.request ?? 0);
};
