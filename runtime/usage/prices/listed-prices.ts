import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import { LoadedLate } from '../../../plugins/sdk/loading/loaded-late.ts';
import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import type { PricedCall } from '../../ports/prices.ts';
import { ByModel } from './by-model.ts';
import type { CompiledPrice } from './compiled-price.ts';
import { compiledRow, type Library, toList, toListedPrice } from './compiled-row.ts';
import { toLibraryUsage } from './library-usage.ts';
import { type ListedPrice, picoUsd, priceByRates } from './unit-rates.ts';

/** Public list prices. */
export interface ListedPrices {
  ready(): Promise<void> | undefined;
  isReady(): boolean;
  /** Undefined before they are ready, and for models without a listed price. */
  price(record: UsageRecord, call: PricedCall): ListedPrice | undefined;
}

/** The prices of a model: its provider's list with only this model, and its price if that could be compiled. */
interface KnownModel {
  readonly list: Provider;
  readonly compiled: CompiledPrice | undefined;
}

/**
 * Public lists. Finding a model in them costs more than a request, so each model is looked up once, and the library's price for
 * it is compiled to rates.
 */
class KnownModels {
  readonly #library: Library;
  readonly #known = new ByModel<KnownModel | 'unlisted'>();
  /** Any number of names may belong to one row. */
  readonly #rows = new WeakMap<ModelInfo, KnownModel>();

  constructor(library: Library) {
    this.#library = library;
  }

  /** Undefined for a model without a listed price. Throws for figures that contradict each other. */
  price(record: UsageRecord, model: string, { listedAs, at }: PricedCall): ListedPrice | undefined {
    const known = this.#known.get(listedAs, model) ?? this.#find(listedAs, model);
    if (known === 'unlisted') return undefined;
    const rates = known.compiled?.rates(at, record.input.total);
    return (rates && priceByRates(record, rates)) ?? this.#asked(record, model, { list: known.list, at });
  }

  /** Calls the library itself, if rates do not determine the price. */
  #asked(
    record: UsageRecord,
    model: string,
    { list: provider, at }: { readonly list: Provider; readonly at: number },
  ): ListedPrice | undefined {
    const found = this.#library.calcPrice(toLibraryUsage(record), model, { provider, timestamp: new Date(at) });
    if (found === null) return undefined;
    const { input, output, rest } = toListedPrice(found);
    return { input: picoUsd(input), output: picoUsd(output), rest: picoUsd(rest) };
  }

  #find(listedAs: string, model: string): KnownModel | 'unlisted' {
    const found = this.#library.calcPrice({ input_tokens: 0 }, model, { providerId: listedAs });
    return this.#known.add(listedAs, model, found === null ? 'unlisted' : this.#toKnown(found));
  }

  #toKnown({ provider, model }: { readonly provider: Provider; readonly model: ModelInfo }): KnownModel {
    const list = toList(provider, model);
    const row = this.#rows.get(model);
    // A provider may have the models of another one's list.
    if (row?.list.id === list.id) return row;
    const known = { list, compiled: compiledRow(this.#library, list, model) };
    this.#rows.set(model, known);
    return known;
  }
}

/** Figures that the library cannot price have no price. It reports them by throwing. */
const priced = (models: KnownModels, record: UsageRecord, call: PricedCall): ListedPrice | undefined => {
  try {
    return models.price(record, record.model, call) ?? models.price(record, call.model, call);
  } catch {
    return undefined;
  }
};

/** The lists of `@pydantic/genai-prices`. They take 20 MB, so they are loaded when something is first priced. */
export const createListedPrices = (): ListedPrices => {
  let late: LoadedLate<KnownModels> | undefined;
  return {
    ready() {
      late ??= new LoadedLate(async () => new KnownModels(await import('@pydantic/genai-prices')));
      return late.value === undefined ? late.ready().then(() => {}) : undefined;
    },
    isReady: () => late?.value !== undefined,
    price: (record, call) => (late?.value === undefined ? undefined : priced(late.value, record, call)),
  };
};
