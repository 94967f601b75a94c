import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { answerWithPlace, type Claimant, withPlace } from '../../kernel/fairness/shared-pools.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { IteratedBody } from '../../kernel/requests/iterated-body.ts';
import { withProviderId } from '../../kernel/requests/provider-query.ts';
import { rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, ok, text, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { feedbackView, listFeedback } from '../feedback/feedback-routes.ts';
import type { LogParts } from '../writer/log-store.ts';
import { openedBodies } from '../writer/sealed-bodies.ts';
import { type IngestedLog, sendRecords } from './ingested-record.ts';
import { filterSchema, type RecordFilter, readFilter } from './record-filters.ts';
import { getRecord, listRecords, readRecords } from './record-store.ts';
import { recordSchema, recordView, wholeRecordSchema, wholeRecordView } from './record-view.ts';

const paging = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 50,
    description: 'The maximum number of listed records.',
  },
  after: { type: 'string', format: 'uuid', description: 'The last id of the previous page.' },
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

/** The schema accepts only objects. */
const readObject = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

/** Writes one line for each record. */
const asLines = (records: readonly JsonObject[]): Buffer =>
  Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));

const pageRecords = 200;

/** Creates the routes of the records of requests. */
export const recordRoutes = ({ store, settings, sealer, now, pools, catalogue }: LogParts): readonly ControlRoute[] => {
  /**
   * Yields all records that a filter matches, page by page, with everything but their bodies. Each page is read when it is the
   * tenant's turn.
   */
  async function* exportedPages(claimant: Claimant, filter: RecordFilter): AsyncGenerator<readonly JsonObject[]> {
    let rows: Awaited<ReturnType<typeof readRecords>> = [];
    do {
      const asked = { tenant: claimant.tenant, filter, limit: pageRecords, after: rows.at(-1)?.id };
      rows = await withPlace(pools.logReads, claimant, () => readRecords(store(), asked));
      if (rows.length > 0) yield rows.map((row) => wholeRecordView(row));
    } while (rows.length === pageRecords);
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/logs',
      operationId: 'list_logs',
      summary: 'Lists the records of requests, the newest first.',
      scope: 'logs.list',
      query: filterSchema(paging),
      replies: { 200: pageReply },
      handle: async ({ query: asked }, context) => {
        const query = readObject(asked);
        rejectNulCharacters(query, 'query');
        const limit = Number(query.limit);
        const { tenant } = resolveWorkspace(context, 'logs.list');
        const filter = readFilter(withProviderId(query, catalogue), Object.keys(paging));
        // One more than is listed, to find out whether there are more.
        const wanted = { tenant, filter, limit: limit + 1, after: findText(query.after)?.toLowerCase() };
        const rows = await withPlace(pools.logReads, context, () => listRecords(store(), wanted));
        const data = showRows('record of the log', rows.slice(0, limit), recordView);
        return ok({ object: 'list', data, has_more: rows.length > limit, last_id: data.at(-1)?.id ?? null });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/logs/export',
      operationId: 'export_logs',
      summary:
        'Exports all records that match a filter as JSON lines, the newest first, as fast as the client reads them.',
      scope: 'logs.export',
      query: filterSchema(),
      replies: { 200: 'lines' },
      handle: async ({ query }, context) => {
        rejectNulCharacters(readObject(query), 'query');
        resolveWorkspace(context, 'logs.export');
        const pages = exportedPages(context, readFilter(withProviderId(readObject(query), catalogue)));
        return await answerWithPlace(pools.exports, context, async () => {
          const lines = async function* (): AsyncGenerator<Buffer> {
            for await (const page of pages) yield asLines(page);
          };
          // If the log cannot be read, the response is an error and not an empty export.
          const body = await IteratedBody.begun(lines(), context.cancellation);
          return {
            status: 200,
            headers: ['content-type', 'application/x-ndjson'],
            origin: 'gateway',
            body,
          };
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/logs/{id}',
      operationId: 'get_log',
      summary: 'Returns the whole record of a request, by its id, or by its trace id if only one record has it.',
      scope: 'logs.view',
      replies: { 200: wholeRecordSchema },
      handle: async ({ params }, context) => {
        const { tenant } = resolveWorkspace(context, 'logs.view');
        return withPlace(pools.logReads, context, async () => {
          const row = await getRecord(store(), tenant, params.id);
          const feedback = await listFeedback(store(), tenant, row.trace_id);
          return ok({ ...wholeRecordView(row, await openedBodies(row, sealer)), feedback: feedback.map(feedbackView) });
        });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/logs',
      operationId: 'send_logs',
      summary: 'Adds records of requests that the gateway did not serve: one, or a list of up to 100.',
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
        const { organisation, tenant: workspace } = resolveWorkspace(context, 'logs.write');
        const by = { organisation, workspace, key: context.principal.keyId, trace: context.traceId, settings };
        // The schema has validated this.
        const logs = [body].flat() as unknown as readonly IngestedLog[];
        const ids = await sendRecords(store(), logs, { by, sealer, now });
        return ok({ object: 'list', data: ids.map((id) => ({ id })) });
      },
    }),
  ];
};
