import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json.ts';
import { defineRoute } from '../../../sdk/define-route.ts';
import type { ParameterSchema } from '../../../sdk/from-schema.ts';
import type { AnyRouteRow } from '../../../sdk/route-row.ts';
import { acting } from '../../saved/acting.ts';
import { IteratedBody } from '../../saved/iterated-body.ts';
import { refuseZeros } from '../../saved/refuse-zeros.ts';
import { ok, recordOf, text } from '../../saved/replies.ts';
import type { LogParts } from '../log-parts.ts';
import { filterSchema, readFilter } from './record-filters.ts';
import { createRecordService } from './record-service.ts';
import { recordSchema, wholeRecordSchema } from './record-view.ts';
import type { SentLog } from './sent-record.ts';

const paging = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 50, description: 'How many are listed.' },
  after: { type: 'string', format: 'uuid', description: 'The last id of the page before.' },
} as const satisfies { readonly [name: string]: ParameterSchema };

const pageReply: ParameterSchema = recordOf({
  object: { const: 'list' },
  data: { type: 'array', items: recordSchema },
  has_more: { type: 'boolean' },
  last_id: { anyOf: [text, { type: 'null' }] },
});

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
const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

/** A line for each. */
const asLines = (records: readonly JsonObject[]): Buffer =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));

/** The routes of the records of requests. */
export const recordRoutes = (parts: LogParts): readonly AnyRouteRow[] => {
  const records = createRecordService(parts);
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
        const query = objectOf(asked);
        refuseZeros(query, 'query');
        const { limit, after } = query;
        const { tenant } = acting(context, 'logs.list');
        const { data, hasMore } = await records.list(tenant, readFilter(query, Object.keys(paging)), {
          limit: Number(limit),
          ...(typeof after === 'string' ? { after: after.toLowerCase() } : {}),
        });
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
        refuseZeros(objectOf(query), 'query');
        const { tenant } = acting(context, 'logs.export');
        const pages = records.pages(tenant, readFilter(objectOf(query)))[Symbol.asyncIterator]();
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
          body: new IteratedBody(all(), context.cancellation),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/logs/{id}',
      operationId: 'get_log',
      summary: 'All that is kept of a request.',
      scope: 'logs.view',
      replies: { 200: wholeRecordSchema },
      handle: async ({ params: { id } }, context) =>
        ok(await records.get(acting(context, 'logs.view').tenant, id.toLowerCase())),
    }),
    defineRoute({
      method: 'POST',
      path: '/logs',
      operationId: 'send_logs',
      summary: 'Adds what requests did that the gateway has not served; one, or a list of up to 100.',
      scope: 'logs.write',
      body: sentBody,
      replies: { 200: recordOf({ object: { const: 'list' }, data: { type: 'array', items: recordOf({ id: text }) } }) },
      handle: async ({ body }, context) => {
        refuseZeros([body].flat());
        const { organisation, tenant } = acting(context, 'logs.write');
        const { principal, traceId: trace } = context;
        const sender = { organisation, tenant, key: principal.keyId, trace };
        // Its schema has said so.
        const ids = await records.send(sender, [body].flat() as unknown as readonly SentLog[]);
        return ok({ object: 'list', data: ids.map((id) => ({ id })) });
      },
    }),
  ];
};
