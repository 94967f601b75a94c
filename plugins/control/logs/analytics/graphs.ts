import type { JsonObject } from '../../../../schema/json/json.ts';
import type { HourTotals } from './analytics-store.ts';

/** What a graph says of a part of the time. */
type Figures = (totals: Omit<HourTotals, 'hour'>) => JsonObject;

const share = (part: number, of: number): number => (of === 0 ? 0 : Math.round((part / of) * 10_000) / 10_000);
const ms = (micros: number): number => Math.round(micros / 10) / 100;

/** The graphs, by the path behind `/analytics/graphs/`. */
export const graphs: Readonly<Record<string, { readonly summary: string; readonly figures: Figures }>> = {
  requests: { summary: 'How many requests there were.', figures: ({ requests }) => ({ total: requests }) },
  errors: {
    summary: 'How many requests failed, and which share of all.',
    figures: ({ errors, requests }) => ({ total: errors, rate: share(errors, requests) }),
  },
  cost: {
    summary: 'What requests cost, in billionths of a US dollar.',
    figures: ({ cost, requests }) => ({ total: cost, avg: requests === 0 ? 0 : Math.round(cost / requests) }),
  },
  tokens: {
    summary: 'How many tokens requests used.',
    figures: ({ input_tokens: input, output_tokens: output }) => ({ total: input + output, input, output }),
  },
  latency: {
    summary: 'How long requests took to the end of their answers, in milliseconds.',
    figures: ({ micros, most_micros: most, requests }) => ({
      avg: requests === 0 ? 0 : ms(micros / requests),
      max: ms(most),
    }),
  },
  'cache/hit-rate': {
    summary: 'How many requests caches have answered, of those that they were asked for.',
    figures: ({ cache_hits: hits, cache_misses: misses }) => ({ rate: share(hits, hits + misses), hits, misses }),
  },
};
