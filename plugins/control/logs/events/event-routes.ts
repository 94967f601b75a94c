import { gatewayError } from '../../../../schema/errors/errors.ts';
import { isJsonObject } from '../../../../schema/json/json.ts';
import { headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { answerWithPlace, withPlace } from '../../kernel/fairness/shared-pools.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { withProviderId } from '../../kernel/requests/provider-query.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { filterSchema, readFilter } from '../records/record-filters.ts';
import type { LogParts } from '../writer/log-store.ts';
import { type EventPlace, readEventId } from './event-place.ts';
import { EventStream } from './event-stream.ts';
import { LogFeed } from './log-feed.ts';
import { findEnd, resumeAt } from './read-written.ts';

const header = 'last-event-id';

const readPlace = (headers: RawHeaders): EventPlace | undefined => {
  const text = headerValue(headers, header) ?? '';
  if (text === '') return undefined;
  const place = readEventId(text);
  if (place !== undefined) return place;
  throw gatewayError('invalid-header', { header, reason: 'it is not the id of an event of this stream.' });
};

const answerHeaders: RawHeaders = [
  ...['content-type', 'text/event-stream; charset=utf-8'],
  // Some proxies buffer small responses.
  ...['x-accel-buffering', 'no'],
];

/** Creates the route of the log's events. */
export const eventRoutes = ({ store, pools, catalogue }: LogParts): readonly ControlRoute[] => {
  const feed = new LogFeed({
    store,
    inTurn: ({ tenant, cancellation }, run) => withPlace(pools.logReads, { tenant, cancellation }, run),
  });
  return [
    defineRoute({
      method: 'GET',
      path: '/logs/events',
      operationId: 'follow_logs',
      summary:
        'Streams the records of requests as they end: `log` as in the list, `left_out` with a count, `place` as a heartbeat.',
      scope: 'logs.list',
      query: filterSchema(),
      headers: {
        type: 'object',
        properties: {
          [header]: {
            type: 'string',
            description: 'The id of the last received event, after which the stream continues.',
          },
        },
      },
      replies: { 200: 'events' },
      handle: async ({ query: asked }, context) => {
        const query = isJsonObject(asked) ? asked : {};
        rejectNulCharacters(query, 'query');
        const { tenant } = resolveWorkspace(context, 'logs.list');
        const filter = readFilter(withProviderId(query, catalogue));
        const last = readPlace(context.headers);
        const { cancellation } = context;
        return await answerWithPlace(pools.logStreams, context, async () => {
          const place = await withPlace(pools.logReads, context, () =>
            last === undefined ? findEnd(store()) : resumeAt(store(), last),
          );
          return {
            ...{ status: 200, headers: answerHeaders, origin: 'gateway' },
            body: new EventStream({
              ...{ tenant, filter, place, cancellation },
              mayGoOn: () => context.mayGoOn(),
              follow: feed.follow,
            }),
          };
        });
      },
    }),
  ];
};
