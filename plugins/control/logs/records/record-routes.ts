import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import { answerWithPlace, withPlace } from '../../kernel/pools/claim-place.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import { rejectNulCharacters } from '../../kernel/requests/reject-nul-characters.ts';
import { objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { LogParts } from '../store/log-store.ts';
import { filterSchema, readFilter } from './record-filters.ts';
import { createRecordService } from './record-service.ts';
import { recordSchema, wholeRecordSchema } from './record-view.ts';
import type { IngestedLog } from './sent-record.ts';

const paging = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'How many are listed.' },
  after: { type: 'string', format: 'uuid', description: 'The last id of the page before.' },
} as const satisfies { readonly [name: string]: ParameterSchema };

const pageReply: ParameterSchema = titled(
  'LogRecordSummaryList',
  objectSchema({
    object: { const: 'list' },
    data: { type: 'array', items: recordSchema },
    has_more: { type: 'boolean' },
    last_id: { anyOf: [text, { type: 'null' }] },
  }),
);

const headers: ParameterSchema = { type: 'object', additionalProperties: { type: 'string' } };
const anything: ParameterSchema = {};

const sentSchema = {
  type: 'object',
  required: ['request', 'response'],
  properties: {
    request: {
      type: 'object',
      required: ['url', 'body'],
      properties: {
        url: { type: 'string', minLength: 1, maxLength: 2048 },
        method: { type: 'string', pattern: '^[A-Za-z]{1,16}$' },
        headers,
        body: anything,
      },
    },
    response: {
      type: 'object',
      required: ['body'],
      properties: {
        status: { type: 'integer', minimum: 100, maximum: 599 },
        headers,
        body: anything,
        response_time: { type: 'number', minimum: 0, maximum: 86_400_000, description: 'Milliseconds.' },
      },
    },
    metadata: { type: 'object', description: 'Labels; trace_id is the record\u2019s own.' },
  },
} as const satisfies ParameterSchema;

const sentBody: ParameterSchema = {
  anyOf: [sentSchema, { type: 'array', items: sentSchema, minItems: 1, maxItems: 100 }],
};

/** A schema of type object accepts nothing else. */
const readObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

/** A line for each. */
const asLines = (records: readonly JsonObject[]): Buffer =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));

/** The routes of the records of requests. */
export const recordRoutes = (parts: LogParts): readonly ControlRoute[] => {
  const records = createRecordService(parts);

  /** Reads the log in a tenant's turn. */
  const inTurn = <Result>(tenant: string, { cancellation }: RouteContext, read: () => Promise<Result>) =>
    withPlace(parts.pools.logReads, { tenant, cancellation }, read);

  return [
    defineRoute({
      method: 'GET',
      path: '/logs',
      operationId: 'list_logs',
      summary: 'Lists what requests did, the newest first.',
      scope: 'logs.list',
      query: filterSchema(paging),
      replies: { 200: pageReply },
      handle: async ({ query: asked }, context) => {
        const query = readObject(asked);
        rejectNulCharacters(query, 'query');
        const { limit, after } = query;
        const { tenant } = resolveWorkspace(context, 'logs.list');
        const filter = readFilter(query, Object.keys(paging));
        const part = { limit: Number(limit), ...(typeof after === 'string' ? { after: after.toLowerCase() } : {}) };
        const { data, hasMore } = await inTurn(tenant, context, () => records.list(tenant, filter, part));
        return ok({ object: 'list', data, has_more: hasMore, last_id: data.at(-1)?.id ?? null });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/logs/export',
      operationId: 'export_logs',
      summary: 'All records of a choice as lines of JSON, the newest first, as fast as they are read.',
      scope: 'logs.export',
      query: filterSchema(),
      replies: { 200: 'lines' },
      handle: async ({ query }, context) => {
        rejectNulCharacters(readObject(query), 'query');
        const { tenant } = resolveWorkspace(context, 'logs.export');
        const { cancellation } = context;
        const claimant = { tenant, cancellation };
        const pages = records.pages(claimant, readFilter(readObject(query)))[Symbol.asyncIterator]();
        return await answerWithPlace(parts.pools.exports, claimant, async () => {
          // A log that cannot be read is an error, and no empty export.
          const first = await pages.next();
          const all = async function* (): AsyncGenerator<Buffer> {
            if (first.done !== true) yield asLines(first.value);
            for await (const page of { [Symbol.asyncIterator]: () => pages }) yield asLines(page);
          };
          return {
            status: 200,
            headers: ['content-type', 'application/x-ndjson'],
            origin: 'gateway',
            body: new IteratedBody(all(), cancellation),
          };
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/logs/{id}',
      operationId: 'get_log',
      summary: 'All that is kept of a request.',
      scope: 'logs.view',
      replies: { 200: wholeRecordSchema },
      handle: async ({ params: { id } }, context) => {
        const { tenant } = resolveWorkspace(context, 'logs.view');
        return ok(await inTurn(tenant, context, () => records.get(tenant, id.toLowerCase())));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/logs',
      operationId: 'send_logs',
      summary: 'Adds what requests did that the gateway has not served; one, or a list of up to 100.',
      scope: 'logs.write',
      body: sentBody,
      replies: {
        200: titled(
          'SentLogs',
          objectSchema({ object: { const: 'list' }, data: { type: 'array', items: objectSchema({ id: text }) } }),
        ),
      },
      handle: async ({ body }, context) => {
        rejectNulCharacters([body].flat());
        const { organisation, tenant } = resolveWorkspace(context, 'logs.write');
        const { principal, traceId: trace } = context;
        const sender = { organisation, tenant, key: principal.keyId, trace };
        // Its schema has said so.
        const ids = await records.send(sender, [body].flat() as unknown as readonly IngestedLog[]);
        return ok({ object: 'list', data: ids.map((id) => ({ id })) });
      },
    }),
  ];
};
