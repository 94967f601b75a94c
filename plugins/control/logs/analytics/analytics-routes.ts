import { sql } from 'kysely';
import { dayMs, hourMs, startOfHour } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { withPlace } from '../../kernel/pools/shared-pools.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { queryFault, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { LogParts, LogStore } from '../store/log-store.ts';
import { addedUp, type HourRow, noSums, type Sums } from '../writer/write-records.ts';

type SummedHour = Sums & { readonly hour: number };

interface HourRange {
  readonly tenant: string;
  /** Milliseconds since the epoch: from `min` on, before `max`. */
  readonly min: number;
  readonly max: number;
  readonly filter: Partial<Pick<HourRow, 'key_id' | 'config' | 'prompt' | 'provider' | 'model' | 'status'>>;
}

/** Reads what the hours of a workspace add up to, in their order. Hours without requests are left out. */
export const sumHours = async (
  { db }: Pick<LogStore, 'db'>,
  { tenant, min, max, filter }: HourRange,
): Promise<readonly SummedHour[]> => {
  const sums = addedUp.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
  const conditions = [
    sql`workspace_id = ${tenant} and hour >= ${min} and hour < ${max}`,
    ...Object.entries(filter).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
  ];
  const { rows } =
    await sql<SummedHour>`select hour, ${sql.join(sums)}, max(most_micros) as most_micros from log_hours where ${sql.join(conditions, sql` and `)} group by hour order by hour`.execute(
      db,
    );
  return rows;
};

/** Makes the figures of a graph for a part of the time. */
type Figures = (sums: Sums) => JsonObject;

const share = (part: number, of: number): number => (of === 0 ? 0 : Math.round((part / of) * 10_000) / 10_000);
const ms = (micros: number): number => Math.round(micros / 10) / 100;

/** The graphs, by the path behind `/analytics/graphs/`. */
const graphs: Readonly<Record<string, { readonly summary: string; readonly figures: Figures }>> = {
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

/** A longer time is shown by days. */
const maxHours = 7 * 24;

const together = (first: Sums, second: Sums): Sums => ({
  ...first,
  ...Object.fromEntries(addedUp.map((name) => [name, first[name] + second[name]])),
  most_micros: Math.max(first.most_micros, second.most_micros),
});

/** Adds hours up to the steps of the time, also to those without requests. */
const toSteps = (
  hours: readonly SummedHour[],
  { min, max }: Pick<HourRange, 'min' | 'max'>,
): ReadonlyMap<number, Sums> => {
  const step = max - min > maxHours * hourMs ? dayMs : hourMs;
  const steps = new Map<number, Sums>();
  for (let at = Math.floor(min / step) * step; at < max; at += step) steps.set(at, noSums);
  for (const { hour, ...sums } of hours) {
    const at = Math.floor(hour / step) * step;
    steps.set(at, together(steps.get(at) ?? noSums, sums));
  }
  return steps;
};

/** Draws a graph of the hours of a workspace. Rejects as the store does. */
const drawGraph = async (log: LogStore, figures: Figures, range: HourRange): Promise<JsonObject> => {
  const from = startOfHour(range.min);
  const hours = await sumHours(log, { ...range, min: from, max: Math.ceil(range.max) });
  const steps = toSteps(hours, { min: from, max: range.max });
  return {
    summary: figures(hours.reduce<Sums>(together, noSums)),
    data_points: [...steps].map(([at, sums]) => ({ timestamp: toSeconds(at), ...figures(sums) })),
  };
};

/** The days for which hours are stored. */
const maxDays = 400;

const time = { type: 'number', minimum: 0, maximum: 253_402_300_799 } as const;
const text = { type: 'string', maxLength: 255 } as const;

const query = {
  type: 'object',
  required: ['time_min', 'time_max'],
  properties: {
    time_min: { ...time, description: 'Seconds since the epoch: from the beginning of the hour that has it.' },
    time_max: { ...time, description: 'Seconds since the epoch: hours that begin before.' },
    key_id: text,
    config: text,
    prompt_slug: text,
    provider: text,
    model: text,
    status: { type: 'integer', minimum: 100, maximum: 599 },
  },
} as const;

const graphSchema: ParameterSchema = titled(
  'AnalyticsGraph',
  objectSchema({
    object: { const: 'analytics-graph' },
    summary: { type: 'object' },
    data_points: { type: 'array', items: { type: 'object' } },
  }),
);

/** The routes of graphs, which are drawn of hours, so that they are about requests that are no longer kept, too. */
export const analyticsRoutes = ({ store, pools }: LogParts): readonly ControlRoute[] =>
  Object.entries(graphs).map(([graph, { summary, figures }]) =>
    defineRoute({
      method: 'GET',
      path: `/analytics/graphs/${graph}`,
      operationId: `graph_${graph.replaceAll(/\W/g, '_')}`,
      summary,
      scope: 'analytics.view',
      query,
      replies: { 200: graphSchema },
      handle: async ({ query: asked }, context) => {
        rejectNulCharacters(asked, 'query');
        const { time_min, time_max, prompt_slug: prompt, ...filter } = asked;
        const [min, max] = [time_min * 1000, time_max * 1000];
        if (max <= min)
          throw queryFault(
            'time_max',
            'The time ends before it begins.',
            'Send a time_max that is larger than time_min.',
          );
        if (max - min > maxDays * dayMs)
          throw queryFault('time_max', `The time is longer than ${maxDays} days.`, 'Ask for a shorter time.');
        const { tenant } = resolveWorkspace(context, 'analytics.view');
        const range = { tenant, min, max, filter: { ...filter, ...(prompt === undefined ? {} : { prompt }) } };
        const drawn = await withPlace(pools.logReads, context, async () => drawGraph(store(), figures, range));
        return ok({ object: 'analytics-graph', ...drawn });
      },
    }),
  );
