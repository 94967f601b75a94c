import type { UsageRecord } from '../../schema/usage-record.ts';
import type { PricedCall } from '../ports/prices.ts';

type Library = typeof import('@pydantic/genai-prices');

/** What the library calls the counts of a record. It prices each token once: cached ones are part of the total. */
const toLibraryUsage = ({ input, output, calls }: UsageRecord): Record<string, number> => {
  const { '1h': hour = 0, ...writes } = input.cacheWrite ?? {};
  const written = Object.values(writes).reduce((sum, tokens) => sum + tokens, hour);
  const counts: Record<string, number | undefined> = {
    input_tokens: input.total,
    output_tokens: output.total,
    cache_read_tokens: input.cacheRead,
    cache_write_tokens: written === 0 ? undefined : written,
    cache_write_1h_tokens: hour === 0 ? undefined : hour,
    input_audio_tokens: input.audio,
    output_audio_tokens: output.audio,
    input_image_tokens: input.image,
    output_image_tokens: output.image,
    output_reasoning_tokens: output.reasoning,
    web_searches: calls?.web_search,
  };
  const known = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return Object.fromEntries(known);
};

/** What a record costs, in US dollars; what is neither input nor output is in `rest`. */
export interface ListedPrice {
  readonly input: number;
  readonly output: number;
  readonly rest: number;
}

/** Public list prices. */
export interface ListedPrices {
  ready(): Promise<void> | undefined;
  /** In US dollars; undefined before they are ready, and for models without a listed price. */
  usd(record: UsageRecord, call: PricedCall): ListedPrice | undefined;
}

/** Figures that contradict each other cannot be priced, which the library reports by throwing. */
const priced = (
  library: Library,
  record: UsageRecord,
  { listedAs, at, model }: PricedCall,
): ListedPrice | undefined => {
  const options = { providerId: listedAs, timestamp: new Date(at) };
  try {
    const usage = toLibraryUsage(record);
    const found = library.calcPrice(usage, record.model, options) ?? library.calcPrice(usage, model, options);
    if (found === null) return undefined;
    const { input_price: input, output_price: output, total_price: total } = found;
    return { input, output, rest: total - input - output };
  } catch {
    return undefined;
  }
};

/** The lists of `@pydantic/genai-prices`, which are loaded when something is first priced: they take 20 MB. */
export const createListedPrices = (): ListedPrices => {
  let library: Library | undefined;
  let loading: Promise<void> | undefined;
  return {
    ready() {
      if (library !== undefined) return undefined;
      loading ??= import('@pydantic/genai-prices').then((loaded) => {
        library = loaded;
      });
      return loading;
    },
    usd: (record, call) => (library === undefined ? undefined : priced(library, record, call)),
  };
};
