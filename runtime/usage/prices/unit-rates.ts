import type { UsageRecord } from '../../../schema/usage/usage-record.ts';

/** The price of a record, in trillionths of a US dollar. What is neither input nor output is in `rest`. */
export interface ListedPrice {
  readonly input: number;
  readonly output: number;
  readonly rest: number;
}

/**
 * The price of one of each, in trillionths of a US dollar. All but a few prices are whole numbers, so that their sums are exact.
 * `input` and `output` are for tokens that belong to none of the other kinds.
 */
export interface UnitRates {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheReadAudio: number;
  readonly cacheWrite: number;
  /** Tokens that are cached for an hour. */
  readonly hourWrite: number;
  readonly inputAudio: number;
  readonly inputImage: number;
  readonly output: number;
  readonly reasoning: number;
  readonly outputAudio: number;
  readonly outputImage: number;
  readonly audioSecond: number;
  readonly webSearch: number;
  readonly fileSearch: number;
  /** A search unit of a reranking. */
  readonly rerankSearch: number;
  /** A page of a document that is read. */
  readonly page: number;
  /** A page that is read with annotations. */
  readonly annotatedPage: number;
  readonly request: number;
}

const trillion = 1e12;

/** Decimal prices are not exact as binary fractions. */
const exactness = 1e-12;

/** Returns trillionths of a dollar, as a whole number if it is one apart from the inexactness of decimal prices. */
export const picoUsd = (usd: number): number => {
  const pico = usd * trillion;
  const whole = Math.round(pico);
  return Math.abs(pico - whole) <= exactness * Math.abs(pico) ? whole : pico;
};

/** Computes the price of a record by its rates. Undefined for a record whose figures contradict each other. */
export const priceByRates = (
  { input, output, audioSeconds = 0, calls }: UsageRecord,
  rates: UnitRates,
): ListedPrice | undefined => {
  const { cacheWrite, image = 0, cacheReadAudio: heard = 0 } = input;
  const cacheRead = (input.cacheRead ?? 0) - heard;
  const audio = (input.audio ?? 0) - heard;
  const { reasoning = 0, audio: spoken = 0, image: drawn = 0 } = output;
  const hour = cacheWrite?.['1h'] ?? 0;
  let written = 0;
  if (cacheWrite !== undefined) for (const ttl of Object.keys(cacheWrite)) written += cacheWrite[ttl] ?? 0;
  written -= hour;
  const plain = input.total - cacheRead - heard - written - hour - audio - image;
  const said = output.total - reasoning - spoken - drawn;
  const searches = calls?.web_search ?? 0;
  const lookUps = calls?.file_search ?? 0;
  const reranks = calls?.search ?? 0;
  const annotated = calls?.annotated_page ?? 0;
  const pages = (calls?.page ?? 0) - annotated;
  const min = Math.min(plain, cacheRead, heard, written, hour, audio, image, said, reasoning, spoken, drawn);
  if (!(Math.min(min, audioSeconds, searches, lookUps, reranks, annotated, pages) >= 0)) return undefined;
  return {
    input:
      plain * rates.input +
      cacheRead * rates.cacheRead +
      heard * rates.cacheReadAudio +
      written * rates.cacheWrite +
      hour * rates.hourWrite +
      audio * rates.inputAudio +
      image * rates.inputImage +
      pages * rates.page +
      annotated * rates.annotatedPage,
    output: said * rates.output + reasoning * rates.reasoning + spoken * rates.outputAudio + drawn * rates.outputImage,
    rest:
      audioSeconds * rates.audioSecond +
      searches * rates.webSearch +
      lookUps * rates.fileSearch +
      reranks * rates.rerankSearch +
      rates.request,
  };
};
