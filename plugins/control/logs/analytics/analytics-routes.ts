import { dayMs } from '../../../../schema/durations.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { withPlace } from '../../kernel/pools/shared-pools.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { refuse, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { LogParts } from '../store/log-store.ts';
import { drawGraph, graphs } from './analytics-service.ts';

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

const refuseRange = (min: number, max: number): void => {
  const problem = (message: string, hint: string) =>
    refuse([{ in: 'query', pointer: toPointer(['time_max']), message, hint }]);
  if (max <= min) problem('The time ends before it begins.', 'Send a time_max that is larger than time_min.');
  if (max - min > maxDays * dayMs) problem(`The time is longer than ${maxDays} days.`, 'Ask for a shorter time.');
};

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
        refuseRange(min, max);
        const { tenant } = resolveWorkspace(context, 'analytics.view');
        const range = { tenant, min, max, filter: { ...filter, ...(prompt === undefined ? {} : { prompt }) } };
        const drawn = await withPlace(pools.logReads, context, async () => drawGraph(store(), figures, range));
        return ok({ object: 'analytics-graph', ...drawn });
      },
    }),
  );
