import type { UsageRecord } from '../../../schema/usage/usage-record.ts';
import { type LibraryUsage, toLibraryUsage } from './library-usage.ts';
import { type ListedPrice, picoUsd, priceByRates, type UnitRates } from './unit-rates.ts';

/** Returns a library's price of some counts, in US dollars. Throws for counts that it cannot price. */
export type Priced = (counts: LibraryUsage) => ListedPrice;

/** US dollars for this many of a unit, by the names that price lists use. */
export type UnitPrices = Readonly<Record<string, number | undefined>>;

const million = 1e6;
const thousand = 1e3;
const hour = 3600;

/** A kind of token or page without a price of its own costs the same as the kind that it is a part of. */
const toRates = (prices: UnitPrices): UnitRates => {
  const each = (name: string, units: number): number => picoUsd((prices[name] ?? 0) / units);
  const token = (name: string, otherwise: number): number =>
    prices[name] === undefined ? otherwise : each(name, million);
  const input = token('input_mtok', 0);
  const cacheRead = token('cache_read_mtok', input);
  const cacheWrite = token('cache_write_mtok', input);
  const output = token('output_mtok', 0);
  const page = each('input_document_kpages', thousand);
  return {
    ...{ input, cacheRead, cacheWrite, output },
    cacheReadAudio: token('cache_audio_read_mtok', token('input_audio_mtok', cacheRead)),
    hourWrite: token('cache_write_1h_mtok', cacheWrite),
    inputAudio: token('input_audio_mtok', input),
    inputImage: token('input_image_mtok', input),
    reasoning: token('output_reasoning_mtok', output),
    outputAudio: token('output_audio_mtok', output),
    outputImage: token('output_image_mtok', output),
    audioSecond: each('audio_hours', hour),
    webSearch: each('web_searches_kcount', thousand),
    fileSearch: each('storage_searches_kcount', thousand),
    rerankSearch: each('rerank_searches_kcount', thousand),
    page,
    annotatedPage:
      prices.input_annotated_document_kpages === undefined ? page : each('input_annotated_document_kpages', thousand),
    request: each('requests_kcount', thousand),
  };
};

/** Some of every kind, few enough that a minimum charge for one would show. */
const some: UsageRecord = {
  ...{ kind: 'reported', model: '' },
  input: { total: 211, cacheRead: 31, cacheWrite: { '5m': 17, '1h': 13 }, audio: 11, image: 7, cacheReadAudio: 3 },
  output: { total: 101, reasoning: 29, audio: 19, image: 5 },
  ...{ audioSeconds: 3, calls: { web_search: 2, file_search: 5, search: 3, page: 23, annotated_page: 11 } },
};

const inexactness = 1e-9;

/** Whether rates result in the same price as the library for some of every kind. */
const fits = (rates: UnitRates, priced: Priced): boolean => {
  const price = priceByRates(some, rates);
  if (price === undefined) return false;
  const { input, output, rest } = priced(toLibraryUsage(some));
  const off = inexactness * picoUsd(input + output + rest);
  return (
    Math.abs(price.input - picoUsd(input)) <= off &&
    Math.abs(price.output - picoUsd(output)) <= off &&
    Math.abs(price.rest - picoUsd(rest)) <= off
  );
};

/**
 * Returns the rates by which a library prices counts, after checking them against the library. Undefined if it uses another rule,
 * such as counting a second of audio as ten.
 */
export const compiledRates = (prices: UnitPrices, priced: Priced): UnitRates | undefined => {
  const rates = toRates(prices);
  try {
    return fits(rates, priced) ? rates : undefined;
  } catch {
    return undefined;
  }
};
