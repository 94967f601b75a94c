import type { JsonObject } from '../../../../schema/json/json.ts';
import { type Histogram, percentile } from '../writer/histogram.ts';
import type { SplitSums } from '../writer/hour-sums.ts';

/** A part of the sums that some sources do not have. */
export type Unknown = 'durations' | 'firsts' | 'cached_tokens' | 'rescued' | 'most_micros';

/** Computes the figures of a time step. Figures of unknown sums are null. */
type Figures = (sums: SplitSums, unknown: ReadonlySet<Unknown>) => JsonObject;

/** A graph: its path below `/analytics/graphs/`, and how its figures are computed. */
export interface Graph {
  readonly summary: string;
  /** The sums that it needs and that only hours by one dimension have. */
  readonly of: readonly Unknown[];
  readonly figures: Figures;
}

const rateDigits = 10_000;
const share = (part: number, of: number): number => (of === 0 ? 0 : Math.round((part / of) * rateDigits) / rateDigits);
const ms = (micros: number): number => Math.round(micros / 10) / 100;

const percentiles = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

const percentilesOf = (histogram: Histogram, isKnown: boolean): JsonObject =>
  Object.fromEntries(
    Object.entries(percentiles).map(([name, part]) => {
      const micros = isKnown ? percentile(histogram, part) : undefined;
      return [name, micros === undefined ? null : ms(micros)];
    }),
  );

/** The graphs, by their paths below `/analytics/graphs/`. */
export const graphs: Readonly<Record<string, Graph>> = {
  requests: {
    summary: 'The number of requests.',
    of: [],
    figures: ({ requests }) => ({ total: requests }),
  },
  errors: {
    summary: 'The number of failed requests, and their share of all requests.',
    of: [],
    figures: ({ errors, requests }) => ({ total: errors, rate: share(errors, requests) }),
  },
  cost: {
    summary: 'The cost of requests, in billionths of a US dollar.',
    of: [],
    figures: ({ cost, requests }) => ({ total: cost, avg: requests === 0 ? 0 : Math.round(cost / requests) }),
  },
  tokens: {
    summary: 'Returns the tokens that requests used. Input includes those that providers read from their caches.',
    of: ['cached_tokens'],
    figures: ({ input_tokens: input, output_tokens: output, cached_tokens: cached }, unknown) => ({
      ...{ total: input + output, input, output },
      cached: unknown.has('cached_tokens') ? null : cached,
    }),
  },
  latency: {
    summary:
      'Returns how long requests took until the end of their responses, in milliseconds. Percentiles are within 1.6 percent of the exact ones.',
    of: ['durations'],
    figures: ({ micros, most_micros: max, requests, durations }, unknown) => ({
      avg: requests === 0 ? 0 : ms(micros / requests),
      max: unknown.has('most_micros') ? null : ms(max),
      ...percentilesOf(durations, !unknown.has('durations')),
    }),
  },
  'first-byte': {
    summary:
      'Returns how long requests took until the first byte of the last response of a target, in milliseconds. Percentiles are within 1.6 percent of the exact ones.',
    of: ['firsts'],
    figures: ({ firsts }, unknown) => percentilesOf(firsts, !unknown.has('firsts')),
  },
  'cache/hit-rate': {
    summary: 'How many of the requests that queried a cache were answered by it.',
    of: [],
    figures: ({ cache_hits: hits, cache_misses: misses }) => ({ rate: share(hits, hits + misses), hits, misses }),
  },
  rescued: {
    summary: 'The number of requests that a fallback rescued, and their share of all requests.',
    of: ['rescued'],
    figures: ({ rescued, requests }, unknown) =>
      unknown.has('rescued') ? { total: null, rate: null } : { total: rescued, rate: share(rescued, requests) },
  },
};

/** Returns the name of a graph without `/` and `-`, such as `cache_hit_rate`. */
export const graphName = (path: string): string => path.replaceAll(/\W/g, '_');

/** The figures of all graphs, by name. */
export const allFigures: Graph = {
  summary: 'The totals of all graphs for the whole time range, by name.',
  of: Object.values(graphs).flatMap(({ of }) => of),
  figures: (sums, unknown) =>
    Object.fromEntries(Object.entries(graphs).map(([path, { figures }]) => [graphName(path), figures(sums, unknown)])),
};
