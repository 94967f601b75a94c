import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { type PageReaders, type PageRow, pageRows } from '../../status-pages/page-rows.ts';
import type { Described } from './described.ts';
import { describeStatus, traceId } from './responses.ts';
import { pagesTag } from './tags.ts';

const keys: readonly JsonObject[] = [{ serviceKey: [] }, { bearer: [] }];

/** Without service keys, nobody has one. */
const security: Readonly<Record<PageReaders, readonly JsonObject[]>> = {
  anyone: [],
  known: [{}, ...keys],
  scoped: [{}, ...keys],
};

/** The statuses with which a page refuses, in addition to 400 for a request that no server could read. */
const refusals: Readonly<Record<PageReaders, readonly number[]>> = {
  anyone: [400],
  known: [400, 403],
  scoped: [400, 401, 403, 404],
};

const errorContent: JsonObject = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

const schemas: Readonly<Record<PageRow['type'], JsonObject>> = {
  'text/plain': { type: 'string' },
  'application/json': {
    title: 'Readiness',
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['ready', 'degraded', 'draining', 'not-ready'] } },
    additionalProperties: true,
  },
};

const toOperation = (row: PageRow, place: (schema: JsonObject) => JsonObject): JsonObject => {
  const { operationId, summary, description, type, answers, readers } = row;
  const content: JsonObject = { [type]: { schema: place(schemas[type]) } };
  const own = Object.entries(answers).map(([status, words]): [string, Json] => [
    status,
    { description: words, headers: traceId, content },
  ]);
  const refused = refusals[readers].map((status): [string, Json] => [
    String(status),
    {
      description: describeStatus(String(status)),
      ...(status === 400 ? {} : { headers: traceId, content: errorContent }),
    },
  ]);
  return {
    operationId,
    tags: [pagesTag],
    summary,
    description,
    'x-gw-page': true,
    servers: [{ url: '/' }],
    security: [...security[readers]],
    responses: Object.fromEntries([...own, ...refused]),
  };
};

/** Returns the operations of the gateway's own pages. */
export const pageOperations = (place: (schema: JsonObject) => JsonObject): readonly Described[] =>
  pageRows.map((row) => [row.path, 'GET', toOperation(row, place)] as const);
