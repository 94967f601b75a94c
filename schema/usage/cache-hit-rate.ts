/** The input of an attempt: all of its tokens, and how many of them came from the provider's prompt cache. */
export interface CountedInput {
  readonly total: number;
  readonly cacheRead?: number | undefined;
}

interface Reads {
  readonly total: number;
  readonly cacheRead: number;
}

const precision = 10_000;

const isCounted = (input: CountedInput): input is Reads =>
  Number.isSafeInteger(input.total) && input.total > 0 && Number.isSafeInteger(input.cacheRead);

/**
 * Returns the share of input tokens that providers read from their prompt caches, from 0 to 1 with four decimals. Inputs for
 * which a provider does not report reads are skipped; undefined if none is left.
 */
export const cacheHitRate = (inputs: readonly CountedInput[]): number | undefined => {
  let [all, read] = [0, 0];
  for (const input of inputs) {
    if (!isCounted(input)) continue;
    all += input.total;
    // A provider's figures may contradict each other.
    read += Math.min(Math.max(input.cacheRead, 0), input.total);
  }
  return all === 0 ? undefined : Math.round((read / all) * precision) / precision;
};
