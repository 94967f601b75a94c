import { sql } from 'kysely';
import { dayMs, hourMs, startOfHour } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import { addedUp } from '../recording/hour-rows.ts';
import type { LogRow } from '../store/log-columns.ts';
import type { LogParts, LogStore } from '../store/log-store.ts';

/** What one hour adds up to. */
type HourTotals = Pick<LogRow<'log_hours'>, (typeof addedUp)[number] | 'most_micros' | 'hour'>;

/** What hours can be chosen by. */
type HourFilter = Partial<Pick<LogRow<'log_hours'>, 'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'status'>>;

interface HourRange {
  readonly tenant: string;
  /** Milliseconds since the epoch: from `min` on, before `max`. */
  readonly min: number;
  readonly max: number;
  readonly filter: HourFilter;
}

/** What the hours of a workspace add up to, in their order. Hours without requests are left out. */
export const sumHours = async (
  { db }: Pick<LogStore, 'db'>,
  { tenant, min, max, filter }: HourRange,
): Promise<readonly HourTotals[]> => {
  const sums = addedUp.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
  const conditions = [
    sql`workspace_id = ${tenant} and hour >= ${min} and hour < ${max}`,
    ...Object.entries(filter).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ];
  const { rows } =
    await sql<HourTotals>`select hour, ${sql.join(sums)}, max(most_micros) as most_micros from log_hours where ${sql.join(conditions, sql` and `)} group by hour order by hour`.execute(
      db,
    );
  return rows;
};

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

interface Graph {
  readonly summary: JsonObject;
  readonly data_points: readonly JsonObject[];
}

type Totals = Omit<HourTotals, 'hour'>;

/** A longer time is shown by days. */
const maxHours = 7 * 24;

const nothing: Totals = {
  ...{ requests: 0, errors: 0, micros: 0, most_micros: 0, input_tokens: 0, output_tokens: 0, cost: 0 },
  ...{ cache_hits: 0, cache_misses: 0 },
};

const together = (first: Totals, second: Totals): Totals => ({
  ...first,
  ...Object.fromEntries(addedUp.map((name) => [name, first[name] + second[name]])),
  most_micros: Math.max(first.most_micros, second.most_micros),
});

/** The totals of each step of the time, also of those without requests. */
const toSteps = (
  hours: readonly HourTotals[],
  { min, max }: Pick<HourRange, 'min' | 'max'>,
): ReadonlyMap<number, Totals> => {
  const step = max - min > maxHours * hourMs ? dayMs : hourMs;
  const steps = new Map<number, Totals>();
  for (let at = Math.floor(min / step) * step; at < max; at += step) steps.set(at, nothing);
  for (const { hour, ...totals } of hours) {
    const at = Math.floor(hour / step) * step;
    steps.set(at, together(steps.get(at) ?? nothing, totals));
  }
  return steps;
};

/** Draws graphs of the hours of a workspace. Rejects as the store does. */
export const createAnalyticsService =
  ({ store }: Pick<LogParts, 'store'>) =>
  async (graph: string, range: HourRange): Promise<Graph> => {
    const { figures = () => ({}) } = graphs[graph] ?? {};
    const from = startOfHour(range.min);
    const hours = await sumHours(store(), { ...range, min: from, max: Math.ceil(range.max) });
    const steps = toSteps(hours, { min: from, max: range.max });
    return {
      summary: figures(hours.reduce<Totals>(together, nothing)),
      data_points: [...steps].map(([at, totals]) => ({ timestamp: toSeconds(at), ...figures(totals) })),
    };
  };
