import { dayMs, hourMs } from '../../../../schema/durations.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { withPlace } from '../../kernel/fairness/shared-pools.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { withProviderId } from '../../kernel/requests/provider-query.ts';
import { endBeforeStart, queryFault, refuse, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, orNull, seconds, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { dimensions, labelPrefix, maxValues } from '../writer/dimensions.ts';
import type { LogParts } from '../writer/log-store.ts';
import { byWorkspace, defaultStep, drawGraph, sumGraph } from './draw-graph.ts';
import { allFigures, graphName, graphs } from './graphs.ts';

/** How many days hourly sums are stored. */
const maxDays = 400;
const minuteMs = 60_000;
const steps = { minute: minuteMs, hour: hourMs, day: dayMs } as const;
/** The maximum number of points in a graph: the hours of three months, or the minutes of a day. */
const maxPoints = { minute: 1440, hour: 2208, day: maxDays + 1 } as const;

const time = { type: 'number', minimum: 0, maximum: 253_402_300_799 } as const;
const text = { type: 'string', maxLength: 255 } as const;

const requestParameters = {
  time_min: { ...time, description: 'Seconds since the epoch, rounded down to the start of the hour.' },
  time_max: { ...time, description: 'Seconds since the epoch: only hours that begin before this time.' },
  key_id: text,
  config: text,
  prompt_slug: text,
  provider: text,
  model: text,
  target: text,
  status: { type: 'integer', minimum: 100, maximum: 599 },
  outcome: { type: 'string', enum: ['success', 'error', 'left', 'cut'] },
  cache_status: text,
  metadata: { type: 'string', maxLength: 2048, description: 'Only requests with this label: NAME=VALUE.' },
} as const;

const required = ['time_min', 'time_max'] as const;

const summaryQuery = { type: 'object', required, properties: requestParameters } as const;

const graphQuery = {
  type: 'object',
  required,
  properties: {
    ...requestParameters,
    step: {
      type: 'string',
      enum: ['minute', 'hour', 'day'],
      description:
        'The time between points: by default an hour, or a day for more than a week. Minutes use a sample of the log.',
    },
    split_by: {
      ...text,
      description: `One of ${dimensions.join(', ')}, workspace and metadata.NAME. A split without a filter is exact, and by a label if the gateway file declares it; other splits use a sample of the log.`,
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: maxValues,
      description:
        'How many values get their own points, those with the most requests first; 10 if absent. The others share points.',
    },
  },
} as const;

const defaultLimit = 10;

/** The members that report which part of the requests the figures cover. */
const reservations = {
  sampled: { const: true, description: 'Whether the figures are estimates from a part of the records of the log.' },
  share: { type: 'number', description: 'The part of the requests that was read, 0 to 1.' },
  splits_from: {
    ...orNull(seconds),
    description: 'Since when figures by one dimension and percentiles are known, if that is later than time_min.',
  },
} as const;

const summarySchema: ParameterSchema = titled(
  'AnalyticsSummary',
  objectSchema(
    {
      object: { const: 'analytics-summary' },
      ...Object.fromEntries(
        Object.entries(graphs).map(([path, { summary }]) => [
          graphName(path),
          { type: 'object', description: summary } as const,
        ]),
      ),
    },
    reservations,
  ),
);

const figures = { summary: { type: 'object' }, data_points: { type: 'array', items: { type: 'object' } } } as const;

const graphSchema: ParameterSchema = titled(
  'AnalyticsGraph',
  objectSchema(
    {
      object: { const: 'analytics-graph' },
      ...figures,
      step: { type: 'integer', description: 'The seconds of a point.' },
    },
    {
      splits: {
        type: 'array',
        items: titled(
          'AnalyticsSplit',
          objectSchema(
            { value: { ...textOrNull, description: 'Null for requests without one.' }, ...figures },
            { is_other: { const: true, description: 'All other values together.' } },
          ),
        ),
      },
      ...reservations,
    },
  ),
);

const readSplit = (split: string | undefined): void => {
  if (split === undefined || split === byWorkspace || dimensions.some((name) => name === split)) return;
  if (split.startsWith(labelPrefix) && split.length > labelPrefix.length) return;
  throw queryFault(
    'split_by',
    `Requests cannot be split by ${JSON.stringify(split)}.`,
    `Write one of ${dimensions.join(', ')}, ${byWorkspace} and metadata.NAME.`,
  );
};

const readLabel = (metadata: string | undefined): readonly (readonly [string, string])[] => {
  if (metadata === undefined) return [];
  const at = metadata.indexOf('=');
  if (at < 1) throw queryFault('metadata', 'This is not a label with a value.', 'Write NAME=VALUE.');
  return [[`${labelPrefix}${metadata.slice(0, at)}`, metadata.slice(at + 1)]];
};

interface AskedTime {
  readonly time_min: number;
  readonly time_max: number;
}

/** Reads the requested time range in milliseconds. */
const readTime = ({ time_min, time_max }: AskedTime): { readonly min: number; readonly max: number } => {
  // Stores compare whole milliseconds only.
  const [min, max] = [Math.floor(time_min * 1000), Math.ceil(time_max * 1000)];
  if (max <= min) refuse([endBeforeStart('time_max')]);
  if (max - min > maxDays * dayMs)
    throw queryFault('time_max', `The time range is longer than ${maxDays} days.`, 'Request a shorter time range.');
  return { min, max };
};

/** Reads the values that requests must have, by dimension. */
const readFilter = ({
  metadata,
  ...given
}: Readonly<Record<string, string | number | undefined>> & { readonly metadata?: string | undefined }) =>
  new Map([...Object.entries(given).map(([name, value]) => [name, String(value)] as const), ...readLabel(metadata)]);

const summaryRoute = ({ store, pools, labels, catalogue }: LogParts): ControlRoute =>
  defineRoute({
    method: 'GET',
    path: '/analytics/summary',
    operationId: 'summarise_requests',
    summary: allFigures.summary,
    scope: 'analytics.view',
    query: summaryQuery,
    replies: { 200: summarySchema },
    handle: async ({ query: asked }, context) => {
      rejectNulCharacters(asked, 'query');
      const { time_min, time_max, ...given } = asked;
      const time = readTime({ time_min, time_max });
      const { tenant } = resolveWorkspace(context, 'analytics.view');
      const drawing = {
        tenant,
        organisation: undefined,
        ...time,
        step: defaultStep(time),
        split: undefined,
        limit: 1,
        labels,
      };
      const summed = await withPlace(pools.logReads, context, async () =>
        sumGraph(store(), allFigures, { ...drawing, filter: readFilter(withProviderId(given, catalogue)) }),
      );
      return ok({ object: 'analytics-summary', ...summed });
    },
  });

/** The routes of graphs. Graphs are drawn from hourly sums, so they include requests whose records have been deleted. */
const graphRoutes = ({ store, pools, labels, catalogue }: LogParts): readonly ControlRoute[] =>
  Object.entries(graphs).map(([path, graph]) =>
    defineRoute({
      method: 'GET',
      path: `/analytics/graphs/${path}`,
      operationId: `graph_${graphName(path)}`,
      summary: graph.summary,
      scope: 'analytics.view',
      query: graphQuery,
      replies: { 200: graphSchema },
      handle: async ({ query: asked }, context) => {
        rejectNulCharacters(asked, 'query');
        const { time_min, time_max, step: named, split_by: split, limit = defaultLimit, ...given } = asked;
        const { min, max } = readTime({ time_min, time_max });
        const step = named === undefined ? defaultStep({ min, max }) : steps[named];
        if (named !== undefined && (max - min) / step > maxPoints[named])
          throw queryFault(
            'step',
            `That is more than ${maxPoints[named]} points.`,
            'Request a shorter time range or larger steps.',
          );
        readSplit(split);
        const filter = readFilter(withProviderId(given, catalogue));
        if (split === byWorkspace && filter.size > 0)
          throw queryFault('split_by', 'A split by workspace cannot be combined with filters.', 'Remove the filters.');
        const { tenant, organisation } = resolveWorkspace(context, 'analytics.view');
        const reachesAll = split === byWorkspace && context.principal.reach === 'organisation';
        const drawing = { tenant, organisation: reachesAll ? organisation : undefined, min, max, step };
        const drawn = await withPlace(pools.logReads, context, async () =>
          drawGraph(store(), graph, { ...drawing, filter, split, limit, labels }),
        );
        return ok({ object: 'analytics-graph', ...drawn });
      },
    }),
  );

/** The routes of graphs, and of their totals. */
export const analyticsRoutes = (parts: LogParts): readonly ControlRoute[] => [
  summaryRoute(parts),
  ...graphRoutes(parts),
];
