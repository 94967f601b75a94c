import type { UsageRecord } from '../../schema/usage-record.ts';
import type { PricedCall } from '../ports/prices.ts';
import { type ListedPrice, priceByRates, type TokenRates, tokenRates } from './token-rates.ts';

type Library = typeof import('@pydantic/genai-prices');

/** What the library calls the counts of a record. It prices each token once: cached ones are part of the total. */
const toLibraryUsage = ({ input, output, audioSeconds, calls }: UsageRecord): Record<string, number> => {
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
    audio_seconds: audioSeconds,
    web_searches: calls?.web_search,
    storage_searches: calls?.file_search,
    // Vendors do not tell of which sort cached tokens are: they are taken for text, as most of them are.
    ...(input.cacheRead !== undefined && {
      ...(input.audio !== undefined && { cache_audio_read_tokens: 0 }),
      ...(input.image !== undefined && { cache_image_read_tokens: 0 }),
    }),
  };
  const known = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return Object.fromEntries(known);
};

/** Public list prices. */
export interface ListedPrices {
  ready(): Promise<void> | undefined;
  /** In US dollars; undefined before they are ready, and for models without a listed price. */
  usd(record: UsageRecord, call: PricedCall): ListedPrice | undefined;
}

type Listed = NonNullable<ReturnType<Library['calcPrice']>>;
type Counts = Readonly<Record<string, number>>;

/** What is known of a model: the list of its provider with this model alone, and its rates where tokens cost the same at all times. */
interface KnownModel {
  readonly list: Listed['provider'];
  readonly rates: TokenRates | undefined;
}

/** So many models are remembered: callers may name any. */
const mostModels = 1000;

const listOf = ({
  provider: { fallback_model_providers: _others, ...provider },
  model,
}: Listed): Listed['provider'] => ({
  ...provider,
  models: [model],
});

/** Public lists. Finding a model in them costs more than a request does, so that they are gone through once for each. */
class KnownModels {
  readonly #library: Library;
  readonly #known = new Map<string, KnownModel | 'unlisted'>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** Undefined for a model without a listed price. Throws for figures that contradict each other. */
  price(record: UsageRecord, model: string, { listedAs, at }: PricedCall): ListedPrice | undefined {
    const name = `${listedAs} ${model}`;
    const known = this.#known.get(name) ?? this.#find(name, model, { listedAs, at });
    if (known === 'unlisted') return undefined;
    const price = known.rates === undefined ? undefined : priceByRates(record, known.rates);
    if (price !== undefined) return price;
    const provider = known.list;
    const found = this.#library.calcPrice(toLibraryUsage(record), model, { provider, timestamp: new Date(at) });
    if (found === null) return undefined;
    const { input_price: input, output_price: output, total_price: total } = found;
    return { input, output, rest: total - input - output };
  }

  #find(name: string, model: string, { listedAs, at }: Pick<PricedCall, 'listedAs' | 'at'>): KnownModel | 'unlisted' {
    const timestamp = new Date(at);
    const found = this.#library.calcPrice({ input_tokens: 0 }, model, { providerId: listedAs, timestamp });
    const known = found === null ? 'unlisted' : { list: listOf(found), rates: this.#ratesOf(found, model) };
    if (this.#known.size >= mostModels) this.#known.clear();
    this.#known.set(name, known);
    return known;
  }

  #ratesOf({ provider, model: { prices }, model_price }: Listed, model: string): TokenRates | undefined {
    // A price may depend on the time, or on how many tokens there are.
    if (Array.isArray(prices) || Object.values(model_price).some((price) => typeof price !== 'number'))
      return undefined;
    return tokenRates((counts: Counts) => this.#library.calcPrice(counts, model, { provider })?.total_price);
  }
}

/** Figures that the library cannot price have no price, which it reports by throwing. */
const priced = (models: KnownModels, record: UsageRecord, call: PricedCall): ListedPrice | undefined => {
  try {
    return models.price(record, record.model, call) ?? models.price(record, call.model, call);
  } catch {
    return undefined;
  }
};

/** The lists of `@pydantic/genai-prices`, which are loaded when something is first priced: they take 20 MB. */
export const createListedPrices = (): ListedPrices => {
  let models: KnownModels | undefined;
  let loading: Promise<void> | undefined;
  return {
    ready() {
      if (models !== undefined) return undefined;
      loading ??= import('@pydantic/genai-prices').then((library) => {
        models = new KnownModels(library);
      });
      return loading;
    },
    usd: (record, call) => (models === undefined ? undefined : priced(models, record, call)),
  };
};
